import assert from "node:assert/strict";
import { join } from "node:path";
import { Child } from "../../../cluster/child";
import { inFolder } from "../../../cluster/folders";

describe("a program that runs beside this process", () => {
  it("is told with its last words when it ends by itself", () =>
    inFolder("child", async (folder) => {
      const script = "console.error('no such server'); process.exit(3)";
      const child = new Child([process.execPath, "-e", script], join(folder, "log"));
      await child.ended;
      assert.throws(() => child.check(), /ended \(3\):\nno such server/);
    }));
});
