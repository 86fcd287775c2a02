import assert from "node:assert/strict";
import { programOf } from "../../../bench/program";
import { cpuSeconds, processMiB } from "../../../bench/usage";

describe("bench: an operator's process", () => {
  it("is measured while it runs", () => {
    const { pid } = process;
    assert.ok(processMiB(pid, "VmRSS") > 20);
    assert.ok(processMiB(pid, "VmHWM") >= processMiB(pid, "VmRSS"));
  });

  it("counts user and system time, whatever the program is called", () => {
    const stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 1 0 5000 1000 100";
    assert.equal(cpuSeconds(stat), 2);
  });

  it("starts as the image does", () => {
    const dockerfile = 'FROM x\nENV A=1\nENV B="two words"\nENTRYPOINT ["node", "--flag=2", "/main.js"]\n';
    const { command, env } = programOf(dockerfile, "/bundle");
    assert.deepEqual(command, [process.execPath, "--flag=2", "/bundle/main.js"]);
    assert.deepEqual([env.A, env.B], ["1", "two words"]);
    assert.throws(() => programOf("ENTRYPOINT node /main.js", "/bundle"), /exec form/);
  });
});
