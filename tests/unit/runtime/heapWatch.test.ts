import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const root = join(__dirname, "..", "..", "..");

describe("watchHeap", () => {
  let dir: string;
  before(() => (dir = mkdtempSync(join(tmpdir(), "heap-"))));
  after(() => rmSync(dir, { recursive: true, force: true }));

  it("nodejs/node#64646: says what to raise, in the last line of the log before the process is aborted, once", () => {
    const program = `
      const { watchHeap } = require("./operator/runtime/manager/heapWatch.ts");
      const { createLogger } = require("./operator/runtime/log.ts");
      watchHeap(createLogger(), "raise the limit");
      process.chdir(${JSON.stringify(dir)});
      const kept = [];
      const grow = () => {
        kept.push(Array.from({ length: 5_000 }, (_, i) => ({ text: "item " + i })));
        setTimeout(grow, 1);
      };
      grow();`;
    const args = ["--require", "tsx/cjs", "--max-old-space-size=96", "--max-semi-space-size=1", "-e", program];
    const { signal, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: "utf8" });
    assert.equal(signal, "SIGABRT", stderr);
    const lines = stderr.split("\n").filter((line) => line.startsWith("{"));
    assert.equal(lines.length, 1, stderr);
    const { level, msg, usedMiB, ceilingMiB } = JSON.parse(lines[0] ?? "") as Record<string, unknown>;
    assert.deepEqual(
      [level, msg],
      ["warn", "The heap is nearly full, and the process is aborted when it is: raise the limit"],
    );
    assert.ok(Number(usedMiB) >= 0.8 * Number(ceilingMiB) - 1 && Number(ceilingMiB) >= 96, lines[0]);
  }).timeout(30_000);
});
