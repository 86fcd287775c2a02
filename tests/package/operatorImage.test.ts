import assert from "node:assert/strict";
import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { OperatorImage } from "../../components";
import { newStack } from "../support/stack";
import type { TestStack } from "../support/stack";

describe("pulumi: OperatorImage", function () {
  this.timeout(60_000);
  let stack: TestStack;
  let contextDir: string;
  let ran: string;
  const commands = () => readFileSync(ran, "utf8").trimEnd().split("\n");
  const forget = () => writeFileSync(ran, "");
  let image: string;

  before(async () => {
    stack = await newStack("/nowhere/kubeconfig", () => {
      const loadInto = { containerdAddress: "/run/c.sock" };
      return { image: new OperatorImage("image", { contextDir, loadInto, base: "node:22" }).image };
    });
    const dir = stack.stack.workspace.workDir;
    [contextDir, ran] = [join(dir, "context"), join(dir, "ran")];
    mkdirSync(contextDir);
    writeFileSync(join(contextDir, "Dockerfile"), "FROM scratch\n");
    writeFileSync(join(contextDir, "main.js"), "1;\n");
    fakeEngine(dir);
    forget();
  });
  after(() => stack.remove());

  /** Programs of these names that write down how they were called, and fail while there is a file "fail". */
  function fakeEngine(dir: string): void {
    const bin = join(dir, "bin");
    mkdirSync(bin);
    const script = `#!/bin/sh
      echo "$(basename "$0") $*" | sed "s#/tmp/[^ :]*/image.tar#ARCHIVE#" >> "${ran}"
      if [ -e "${dir}/fail" ]; then echo "no space left" >&2; exit 1; fi
      case "$*" in *" ls "*) [ -e "${dir}/gone" ] || echo "$*" | sed "s/.*name==//";; esac
    `;
    for (const name of ["buildah", "docker", "ctr"]) {
      writeFileSync(join(bin, name), script);
      chmodSync(join(bin, name), 0o755);
    }
    const { envVars } = stack.stack.workspace;
    envVars.PATH = [bin, envVars.PATH].join(delimiter);
  }

  it("is not built in a preview", async () => {
    assert.deepEqual(await stack.preview(), { create: 3 });
    assert.deepEqual(commands(), [""]);
  });

  it("is built and loaded by the first engine, and named by its content", async () => {
    const { outputs } = await stack.up();
    image = outputs.image!.value as string;
    assert.match(image, /^localhost\/memcached-operator:[0-9a-f]{16}$/);
    assert.deepEqual(commands(), [
      `buildah build --tag ${image} --build-arg BASE=node:22 ${contextDir}`,
      `buildah push ${image} docker-archive:ARCHIVE:${image}`,
      "ctr --address /run/c.sock --namespace k8s.io images import ARCHIVE",
    ]);
  });

  it("is left alone while the tree is unchanged", async () => {
    forget();
    const { summary } = await stack.up();
    assert.deepEqual(summary.resourceChanges, { same: 3 });
    await stack.noChanges();
    assert.ok(commands().every((command) => command.includes(" images ls ")));
  });

  it("is built again when containerd has lost it", async () => {
    const gone = join(stack.stack.workspace.workDir, "gone");
    writeFileSync(gone, "");
    await stack.stack.refresh();
    rmSync(gone);
    forget();
    await stack.up();
    assert.match(commands()[0]!, /^buildah build/);
  });

  it("says what the engine said when it fails, and is built when that is mended", async () => {
    const fail = join(stack.stack.workspace.workDir, "fail");
    writeFileSync(fail, "");
    writeFileSync(join(contextDir, "main.js"), "2;\n");
    await assert.rejects(stack.up(), /buildah build --tag .* failed: no space left/);
    rmSync(fail);
    const { outputs, summary } = await stack.up();
    assert.deepEqual(summary.resourceChanges, { same: 2, update: 1 });
    assert.notEqual(outputs.image!.value, image);
  });

  it("stores neither secrets nor the environment", async () => {
    // The provider's code is a secret: asked for in plain text.
    const state = JSON.stringify(await stack.stack.exportStack());
    assert.match(state, /buildah/);
    assert.ok(!state.includes(stack.stack.workspace.envVars.PATH!), "PATH is in the state");
  });

  it("is forgotten on destroy", async () => {
    await stack.destroy();
    assert.deepEqual(stack.resources(), []);
  });
});
