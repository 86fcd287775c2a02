import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseAllDocuments } from "yaml";
import { memcachedCrd, validateName, validateSpec } from "../../../api";
import { changes, generatedFiles } from "../../../scripts/generate/files";

const root = resolve(__dirname, "../../..");
const onDisk = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), "utf8") : undefined);

interface Manifest {
  kind: string;
  metadata: { name: string };
  spec: unknown;
}

describe("generated files", () => {
  it("are what npm run generate would write", async () => assert.deepEqual(await changes(root, onDisk), []));

  it("are named when they differ, are missing or belong to nothing", async () => {
    const [fresh] = await generatedFiles();
    const [path] = fresh!;
    const changed = await changes(root, (asked) => (asked === path ? "edited by hand" : onDisk(asked)));
    assert.deepEqual(
      changed.map((change) => change.path),
      [path],
    );
    const missing = await changes(root, (asked) => (asked === path ? undefined : onDisk(asked)));
    assert.equal(missing[0]?.text, fresh![1]);
  });

  it("come from a command that refuses what it does not know in one line", () => {
    const script = join(root, "scripts/generate.ts");
    const { status, stderr } = spawnSync(process.execPath, ["--require", "tsx/cjs", script, "--chekc"], { cwd: root });
    assert.deepEqual([status, String(stderr).trim().split("\n").length], [2, 1]);
    assert.match(String(stderr), /unknown option .*--chekc.*npm run generate .*--check/i);
  });

  it("read as YAML the way they were meant", async () => {
    const files = await generatedFiles();
    const documents = (path: string) =>
      parseAllDocuments(files.get(path)!).map((document) => document.toJS() as unknown);
    assert.deepEqual(documents("deploy/crds/cache.example.com_memcacheds.yaml"), [
      JSON.parse(JSON.stringify(memcachedCrd())),
    ]);
    const install = documents("deploy/install.yaml") as Manifest[];
    assert.equal(install[0]?.kind, "CustomResourceDefinition");
    assert.ok(install.some(({ kind }) => kind === "Deployment"));
  });

  it("include samples that the API takes", async () => {
    const samples = [...(await generatedFiles())].filter(([path]) => path.startsWith("deploy/samples/"));
    const names = samples.map(([, text]) => (parseAllDocuments(text)[0]?.toJS() as Manifest).metadata.name);
    assert.equal(new Set(names).size, samples.length, "two samples would be one resource");
    for (const [path, text] of samples) {
      const [sample] = parseAllDocuments(text).map((document) => document.toJS() as Manifest);
      assert.deepEqual([...validateName(sample!.metadata.name), ...validateSpec(sample!.spec)], [], path);
    }
  });
});
