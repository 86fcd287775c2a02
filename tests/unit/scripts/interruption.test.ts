import assert from "node:assert/strict";
import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { commandsWith } from "../../support/processes";
import { until } from "../../support/until";

/** A plugin in a session of its own, then whatever else the script does. */
const withPlugin = (rest: string) => `setsid sleep 300 >/dev/null 2>&1 & ${rest}`;

const POLITE = withPlugin(`trap 'echo told; exit 0' INT; echo ready; while :; do sleep 0.05; done`);
const DEAF = withPlugin(`trap '' INT TERM; echo ready; while :; do sleep 0.05; done`);
const SHORT = "setsid sleep 300 & echo ready";

describe("an interrupted command", function () {
  this.timeout(30_000);
  let count = 0;

  function start(script: string) {
    const owner = `interruption-test-${process.pid}-${++count}`;
    const variable = `INTERRUPTION_TEST=${owner}`;
    const args = ["--require", "tsx/cjs", join(__dirname, "interruptedRun.ts"), script];
    const child: ChildProcess = spawn("node", args, { env: { ...process.env, INTERRUPTION_TEST: owner } });
    let output = "";
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
    return {
      child,
      ended,
      output: () => output,
      left: () => commandsWith(variable),
      ready: () => until("the script to run", 20_000, () => output.includes("ready")),
    };
  }

  it("tells its program once, waits for it, and ends what that left running", async () => {
    const run = start(POLITE);
    await run.ready();
    assert.ok(run.left().some((command) => command.startsWith("sleep 300")));
    run.child.kill("SIGINT");
    assert.equal(await run.ended, 130);
    assert.equal(run.output().split("told").length, 2, run.output());
    assert.match(run.output(), /interrupted: the same command again goes on/);
    assert.deepEqual(run.left(), []);
  });

  it("ends a program that does not listen when it is interrupted once more", async () => {
    const run = start(DEAF);
    await run.ready();
    run.child.kill("SIGTERM");
    await until("the first signal to be taken", 5000, () => run.output().includes("once more ends it"));
    run.child.kill("SIGTERM");
    assert.equal(await run.ended, 143);
    assert.deepEqual(run.left(), []);
  });

  it("leaves nothing running either when its program ends by itself", async () => {
    const run = start(SHORT);
    assert.equal(await run.ended, 0);
    assert.deepEqual(run.left(), []);
  });

  it("that was killed leaves nothing running either", async () => {
    const run = start(DEAF);
    await run.ready();
    run.child.kill("SIGKILL");
    await until("all of it to be gone", 5000, () => run.left().length === 0);
  });
});
