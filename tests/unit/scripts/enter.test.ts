import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandsWith } from "../../support/processes";
import { until } from "../../support/until";

const root = join(__dirname, "..", "..", "..");

/** Names a server that is not there: the operator waits for it. */
const KUBECONFIG = {
  clusters: [{ name: "c", cluster: { server: "https://127.0.0.1:1" } }],
  users: [{ name: "u", user: { token: "t" } }],
  contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
  "current-context": "x",
};

describe("a command of npm's", function () {
  this.timeout(30_000);
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "enter-test-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it("ends with the shell between npm and itself, which passes no signal on", async () => {
    const kubeconfig = join(dir, "kubeconfig");
    writeFileSync(kubeconfig, JSON.stringify(KUBECONFIG));
    const env = { ...process.env, ENTER_TEST: dir, npm_lifecycle_event: "operator" };
    const flags = `--metrics-bind-address=0 --health-probe-bind-address=0 --kubeconfig=${kubeconfig}`;
    // With a second command, for a shell may become its last one.
    const script = `node scripts/enter.mjs operator ${flags}; :`;
    const shell = spawn("sh", ["-c", script], { cwd: root, env, stdio: "ignore" });
    const running = () => commandsWith(`ENTER_TEST=${dir}`);
    await until("the operator to run", 20_000, () => running().some((command) => command.includes("operator.ts")));
    shell.kill("SIGTERM");
    await until("everything of the command to end", 10_000, () => running().length === 0);
    assert.equal(shell.signalCode, "SIGTERM");
  });
});
