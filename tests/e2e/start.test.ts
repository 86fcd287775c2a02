import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { down, status } from "../../cluster/cluster";
import { repositoryRoot } from "../../cluster/paths";
import { run, tryRun } from "../../cluster/run";
import { ensureTools } from "../../cluster/toolCache";
import { commandsWith } from "../support/processes";
import { until } from "../support/until";

/** A cluster of this file's own: whoever runs the tests may have one of npm start. */
const NAME = "memcached-test-start";

const script = (name: string, env: Record<string, string> = {}) =>
  tryRun("node", ["--require", "tsx/cjs", join("scripts", `${name}.ts`), "--name", NAME], {
    cwd: repositoryRoot,
    env: { ...process.env, ...env },
  });

describe("npm start and npm stop", function () {
  this.timeout(300_000);

  before(() => down(NAME));
  after(() => down(NAME));

  it("interrupted in the middle of Pulumi's update, leaves nothing of it running", async () => {
    const id = `${NAME}-${process.pid}`;
    const env = { ...process.env, START_TEST: id };
    const command = spawn("node", ["scripts/enter.mjs", "start", "--name", NAME], { cwd: repositoryRoot, env });
    let output = "";
    for (const stream of [command.stdout, command.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => (output += text));
    const ended = new Promise<number | null>((resolve) => command.on("close", resolve));
    // The cluster is meant to go on.
    const running = () => commandsWith(`START_TEST=${id}`).filter((line) => /pulumi|scripts/.test(line));
    await until("the update to make the operator", 120_000, () => {
      assert.equal(command.exitCode, null, output);
      return /apps\/v1:Deployment \S+ creating/.test(output);
    });
    for (const plugin of ["pulumi-language-nodejs", "pulumi-resource-kubernetes", "dynamic-provider"])
      assert.ok(
        running().some((line) => line.includes(plugin)),
        plugin,
      );
    command.kill("SIGINT");
    assert.equal(await ended, 130, output);
    assert.match(output, /interrupted: the same command again goes on from here\./);
    assert.deepEqual(running(), []);
  });

  it("goes on, and ends with a value read back from real memcached pods", async () => {
    const { code, stdout, stderr } = await script("start");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Stored and read back through it: greeting-\w+ = "hello from 3 memcached servers"/);
  });

  it("reports no changes when run again, and prints commands that work as they stand", async () => {
    const { code, stdout, stderr } = await script("start");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /^no changes/m);
    const printed = (stdout.split("Try next:")[1] ?? "").split("\n").map((line) => line.trim());
    const lines = printed.filter((line) => /^export |^kubectl get |^PULUMI_\S+ .*pulumi stack/.test(line));
    assert.equal(lines.length, 4, stdout);
    const shell = await run("sh", ["-ec", lines.join("\n")], { cwd: repositoryRoot });
    assert.match(shell, /^memcached-sample +3 +3 /m);
    assert.match(shell, /cache\.example\.com\/v1:Memcached/);
  });

  it("sets a size back that kubectl changed, and tells the true number of servers", async () => {
    const { kubeconfig = "" } = status(NAME);
    const kubectl = async (...args: string[]) => {
      const env = { ...process.env, KUBECONFIG: kubeconfig };
      return run((await ensureTools(["kubectl"])).kubectl, args, { env });
    };
    const cache = "memcached/memcached-sample";
    await kubectl("scale", cache, "--replicas=5");
    await kubectl("wait", cache, "--for=jsonpath={.status.readyReplicas}=5", "--timeout=60s");
    const { code, stdout, stderr } = await script("start");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stderr, /had a size of 5 in the cluster; the stack says 3/);
    assert.match(stdout, /= "hello from 3 memcached servers"/);
    const printed =
      /memcached-sample\.default\.svc\.cluster\.local:11211 \((.*)\)/.exec(stdout)?.[1]?.split(", ") ?? [];
    assert.equal(printed.length, 3, stdout);
  });

  it("previews no changes, on its own cluster whatever KUBECONFIG says, and says so", async () => {
    const { code, stdout, stderr } = await script("preview", { KUBECONFIG: "/nonexistent" });
    assert.match(stderr, /^the stack of the embedded cluster "memcached-test-start" \(KUBECONFIG is not used here\)$/m);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /Resources:\s+\d+ unchanged/);
  });

  it("stops with nothing left", async () => {
    const dir = status(NAME).dir;
    const { code, stdout, stderr } = await script("stop");
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, /\d+ deleted/);
    assert.ok(dir && !existsSync(dir));
    assert.deepEqual(status(NAME), { name: NAME, parts: [] });
  });
});
