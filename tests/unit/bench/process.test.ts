import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entrypoint, environment } from "../../../bench/contenders";
import { Running } from "../../../bench/process";
import { cpuSeconds } from "../../../bench/usage";
import { until } from "../../support/until";

describe("bench: a contender's process", () => {
  let dir: string;
  const start = (script: string) => new Running([process.execPath, "-e", script], process.env, join(dir, "log"));

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "bench-process-"));
  });

  afterEach(() => rmSync(dir, { recursive: true }));

  it("is measured while it runs", async () => {
    const running = start("setInterval(() => {}, 1000)");
    try {
      const usage = await until("the process to show up", 10_000, async () => {
        const now = running.usage();
        return now.rssMiB > 20 && now;
      });
      assert.ok(usage.peakMiB >= usage.rssMiB, JSON.stringify(usage));
    } finally {
      await running.stop("SIGKILL");
    }
  });

  it("that ends by itself is told with its last words", async () => {
    const running = start("console.error('no such server'); process.exit(3)");
    await until("the end of the process to be noticed", 10_000, async () => {
      try {
        running.check();
        return false;
      } catch (error) {
        assert.match(String(error), /ended \(3\):\nno such server/);
        return true;
      }
    });
  });

  it("counts user and system time, whatever the program is called", () => {
    const stat = "7 (a) b (c) S 1 7 7 0 -1 4194560 100 0 0 0 150 50 0 0 20 0 1 0 5000 1000 100";
    assert.equal(cpuSeconds(stat), 2);
  });

  it("starts as the image does", () => {
    const dockerfile = 'FROM x\nENV A=1\nENV B="two words"\nENTRYPOINT ["node", "--flag=2", "/main.js"]\n';
    assert.deepEqual(entrypoint(dockerfile, "/bundle"), [process.execPath, "--flag=2", "/bundle/main.js"]);
    assert.deepEqual(environment(dockerfile), { A: "1", B: "two words" });
    assert.throws(() => entrypoint("ENTRYPOINT node /main.js", "/bundle"), /exec form/);
  });
});
