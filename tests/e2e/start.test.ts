import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { down, status } from "../../cluster/cluster";
import { repositoryRoot } from "../../cluster/paths";
import { tryRun } from "../../cluster/run";

/** A cluster of this file's own: whoever runs the tests may have one of npm start. */
const NAME = "memcached-test-start";

const script = (name: string) =>
  tryRun("node", ["--require", "tsx/cjs", join("scripts", `${name}.ts`), "--name", NAME], { cwd: repositoryRoot });

describe("npm start and npm stop", function () {
  this.timeout(300_000);

  before(() => down(NAME));
  after(() => down(NAME));

  it("ends with a value read back from real memcached pods", async () => {
    const { code, stdout, stderr } = await script("start");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Stored and read back through it: greeting-\w+ = "hello from 3 memcached servers"/);
  });

  it("reports no changes when run again", async () => {
    const { code, stdout, stderr } = await script("start");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /^no changes/m);
  });

  it("previews no changes", async () => {
    const { code, stdout, stderr } = await script("preview");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Resources:\s+\d+ unchanged/);
  });

  it("stops with nothing left", async () => {
    const dir = (await status(NAME)).dir;
    const { code, stdout, stderr } = await script("stop");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /\d+ deleted/);
    assert.ok(dir && !existsSync(dir));
    assert.deepEqual(await status(NAME), { name: NAME, parts: [], leftovers: [] });
  });
});
