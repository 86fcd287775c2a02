import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { OperatorImage } from "../../../components";
import { imageCommands } from "../../../components/image/commands";
import { contentHash } from "../../../components/image/contentHash";
import { record, valueOf } from "./record";

const type = "pulumi-nodejs:dynamic/memcached:OperatorImage";

describe("OperatorImage", () => {
  let dir: string;
  const context = (files: Record<string, string>): string => {
    const at = mkdtempSync(join(dir, "context-"));
    for (const [name, content] of Object.entries(files)) {
      mkdirSync(join(at, name, ".."), { recursive: true });
      writeFileSync(join(at, name), content);
    }
    return at;
  };
  const files = { Dockerfile: "FROM scratch\n", "main.js": "1;\n" };
  before(() => (dir = mkdtempSync(join(tmpdir(), "operator-image-"))));
  after(() => rmSync(dir, { recursive: true }));

  it("is named by what is in it, wherever that lies", async () => {
    const [one, two] = [context(files), context(files)];
    const hash = contentHash(one, "")!;
    assert.match(hash, /^[0-9a-f]{16}$/);
    assert.equal(contentHash(two, ""), hash);
    const { one: find } = await record((opts) => new OperatorImage("image", { contextDir: one }, opts));
    assert.equal(find(type, "image").inputs.image, `localhost/memcached-operator:${hash}`);
  });

  it("has another hash for any other content, name of a file, or base", () => {
    const hash = contentHash(context(files), "");
    const word = fc.stringMatching(/^[a-z]{1,8}$/);
    fc.assert(
      fc.property(word, word, (name, content) => {
        const more = { ...files, [`more/${name}`]: content };
        assert.notEqual(contentHash(context(more), ""), hash);
        assert.notEqual(contentHash(context({ ...files, "main.js": content }), ""), hash);
        assert.notEqual(contentHash(context(files), content), hash);
      }),
      { numRuns: 10 },
    );
    // What moves from one file to the next is a change too.
    const [ab, ba] = [context({ ...files, x: "ab", y: "" }), context({ ...files, x: "a", y: "b" })];
    assert.notEqual(contentHash(ab, ""), contentHash(ba, ""));
  });

  it("builds nothing in a preview, and says there what is missing", async () => {
    const empty = context({});
    const { one, result } = await record((opts) => new OperatorImage("image", { contextDir: empty }, opts), {
      preview: true,
    });
    assert.equal(await valueOf(result.image), undefined);
    assert.equal(typeof one(type, "image").inputs.image === "string", false);
    await assert.rejects(
      record((opts) => new OperatorImage("image", { contextDir: empty }, opts)),
      /has no Dockerfile and main\.js.*npm run build/,
    );
  });

  it("holds no secret and no environment in what it stores", async () => {
    process.env.OPERATOR_IMAGE_TEST = "not-to-be-stored";
    const { one } = await record((opts) => new OperatorImage("image", { contextDir: context(files) }, opts));
    const stored = JSON.stringify(one(type, "image").inputs);
    assert.ok(stored.includes("images"), "the provider's code is not there");
    assert.ok(!stored.includes(process.env.OPERATOR_IMAGE_TEST));
    delete process.env.OPERATOR_IMAGE_TEST;
  });

  const plan = { reference: "r.example.com/op:1", contextDir: "/context", base: "node:22", push: false };
  const load = { address: "/run/c.sock", namespace: "k8s.io", archive: "/tmp/a.tar" };
  const lines = (engine: string, more: object) => imageCommands(engine, { ...plan, ...more }).map((c) => c.join(" "));

  for (const engine of ["buildah", "docker", "podman", "nerdctl"])
    it(`builds with ${engine}`, () => {
      assert.deepEqual(lines(engine, {}), [
        `${engine} build --tag r.example.com/op:1 --build-arg BASE=node:22 /context`,
      ]);
      assert.deepEqual(lines(engine, { base: undefined }), [`${engine} build --tag r.example.com/op:1 /context`]);
    });

  it("pushes, and loads through an archive and ctr, in each engine's words", () => {
    const ctr = "ctr --address /run/c.sock --namespace k8s.io images import /tmp/a.tar";
    assert.deepEqual(lines("buildah", { push: true, load }).slice(1), [
      "buildah push r.example.com/op:1 docker://r.example.com/op:1",
      "buildah push r.example.com/op:1 docker-archive:/tmp/a.tar:r.example.com/op:1",
      ctr,
    ]);
    for (const engine of ["docker", "podman", "nerdctl"])
      assert.deepEqual(lines(engine, { push: true, load }).slice(1), [
        `${engine} push r.example.com/op:1`,
        `${engine} save --output /tmp/a.tar r.example.com/op:1`,
        ctr,
      ]);
  });

  const cases: [what: string, args: object, says: RegExp][] = [
    ["an engine it does not know", { engine: "kaniko" }, /engine is "kaniko": give one of "buildah", "docker"/],
    ["a name in capitals", { name: "Op" }, /name is "Op": give an image name without a tag/],
    ["a name with a tag", { name: "r:5000/op:1" }, /name is "r:5000\/op:1": give an image name without a tag/],
    ["a push to nowhere", { push: true }, /push requires a name with a registry/],
    ["a load without a socket", { loadInto: {} }, /loadInto\.containerdAddress is missing/],
    ["what is misspelt", { context: "." }, /context: unknown argument; use one of contextDir/],
  ];
  for (const [what, args, says] of cases)
    it(`refuses ${what}`, () => {
      assert.throws(() => new OperatorImage("image", args), { message: says });
    });
});
