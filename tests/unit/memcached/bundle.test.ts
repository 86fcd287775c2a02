import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOperator } from "../../../build/bundleOperator";

describe("the operator's bundle", function () {
  this.timeout(30_000);
  let folder: string;
  before(() => (folder = mkdtempSync(join(tmpdir(), "bundle-"))));
  after(() => rmSync(folder, { recursive: true }));

  it("is one file beside its Dockerfile, and one for kubeconfigs, the same wherever it is made, and tells nothing of the machine", async () => {
    const [one, two] = [join(folder, "one"), join(folder, "deeper", "two")];
    await Promise.all([bundleOperator(one), bundleOperator(two)]);
    assert.deepEqual(readdirSync(one).sort(), ["Dockerfile", "kubeconfig.js", "main.js"]);
    for (const name of ["main.js", "kubeconfig.js"]) {
      const text = readFileSync(join(one, name), "utf8");
      assert.ok(text === readFileSync(join(two, name), "utf8"), `two builds of ${name} differ`);
      assert.ok(!text.includes(join(__dirname, "..", "..", "..")), `${name} has a path of this machine`);
    }
  });
});
