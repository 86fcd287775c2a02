import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join, relative } from "node:path";

const root = join(__dirname, "..", "..", "..");

describe("importing the package", function () {
  this.timeout(20_000);

  it("loads no controller and no more of @pulumi/kubernetes than it uses", () => {
    const script = 'require("./components"); console.log(JSON.stringify(Object.keys(require.cache)))';
    const args = ["--require", "tsx/cjs", "--eval", script];
    const output = execFileSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    const files = (JSON.parse(output) as string[]).map((file) => relative(root, file));
    const own = files.filter((file) => !file.startsWith("node_modules"));
    assert.deepEqual([...new Set(own.map((file) => file.split("/")[0]))].sort(), ["api", "components"]);
    const modules = files
      .filter((file) => file.startsWith("node_modules/@pulumi/kubernetes/"))
      .map((file) => file.split("/")[3])
      .filter((name) => !name!.includes("."));
    assert.deepEqual([...new Set(modules)].sort(), ["apiextensions", "apps", "core", "rbac", "types"]);
  });
});
