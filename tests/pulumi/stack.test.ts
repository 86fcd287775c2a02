import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { controlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { pulumiSandbox } from "../support/pulumi";
import type { PulumiSandbox } from "../support/pulumi";

const root = join(__dirname, "..", "..");

/** The stack of the repository as people run it: by the pulumi program, its language host and index.ts. */
describe("pulumi: the repository's stack without a cluster", function () {
  this.timeout(60_000);
  let sandbox: PulumiSandbox;
  let flags: string[];
  /** Its configuration lies beside the project's, where Pulumi looks for it. */
  const stack = `test-${process.pid}`;

  before(async () => {
    sandbox = await pulumiSandbox();
    mkdirSync(join(sandbox.dir, "home"));
    flags = ["--stack", stack, "--non-interactive"];
    await pulumi({}, "stack", "init", ...flags);
    await pulumi({}, "config", "set", "image", "registry.example.com/memcached-operator:1", ...flags);
  });
  after(() => {
    sandbox.remove();
    rmSync(join(root, `Pulumi.${stack}.yaml`), { force: true });
  });

  function pulumi(env: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
    const options = { cwd: root, env: { ...sandbox.env, HOME: join(sandbox.dir, "home"), ...env } };
    return new Promise((resolve) =>
      execFile("pulumi", args, options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      ),
    );
  }

  function kubeconfig(server: string): string {
    const path = join(sandbox.dir, `kubeconfig-${new URL(server).port}`);
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  }

  const previewed = ({ code, output }: { code: number; output: string }) => {
    assert.equal(code, 0, output);
    assert.match(output, /\+ 20 to create/);
    return output;
  };

  /** Milliseconds that a run took, beside what it gave. */
  async function timed<T>(run: Promise<T>): Promise<[T, number]> {
    const start = Date.now();
    return [await run, Date.now() - start];
  }

  /** A server that takes connections and never says a word. */
  async function withSilentServer<T>(use: (url: string) => Promise<T>): Promise<T> {
    const sockets = new Set<Socket>();
    const silent = createServer((socket) => void sockets.add(socket));
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    try {
      return await use(`https://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    } finally {
      sockets.forEach((socket) => socket.destroy());
      silent.close();
    }
  }

  it("pulumi-kubernetes#349: previews with no kubeconfig, and says that no cluster was reached", async () => {
    const output = previewed(await pulumi({}, "preview", ...flags));
    assert.match(output, /warning: no cluster was reached \(no kubeconfig names one\)/);
  });

  it("pulumi-kubernetes#3027, #2374, #4049: previews with a dead cluster, in under 10 s", async () => {
    const KUBECONFIG = kubeconfig("https://127.0.0.1:1");
    const [result, ms] = await timed(pulumi({ KUBECONFIG }, "preview", ...flags));
    assert.match(previewed(result), /warning: no cluster was reached \(https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.ok(ms < 10_000, `${ms} ms`);
  });

  it("asks no longer than 2 s a cluster that is silent", async () => {
    await withSilentServer(async (url) => {
      const [result, ms] = await timed(pulumi({ KUBECONFIG: kubeconfig(url) }, "preview", ...flags));
      assert.match(previewed(result), /warning: no cluster was reached \(.*no answer in 2 s\)/);
      assert.ok(ms < 15_000, `${ms} ms`);
    });
  });

  it("previews changes of what is there while its cluster is away, and replaces nothing", async () => {
    const plane = await controlPlane();
    const { kubeconfig: KUBECONFIG } = plane;
    await pulumi({}, "config", "set", "skipAwait", "true", ...flags);
    await pulumi({}, "config", "set", "cacheNamespace", await newNamespace(plane, "stack"), ...flags);
    const up = await pulumi({ KUBECONFIG }, "up", "--yes", "--skip-preview", ...flags);
    assert.equal(up.code, 0, up.output);
    const again = await pulumi({ KUBECONFIG }, "preview", "--refresh", "--expect-no-changes", ...flags);
    assert.equal(again.code, 0, again.output);
    assert.ok(!/warning/.test(again.output), again.output);
    await withSilentServer(async (url) => {
      const away = await pulumi({ KUBECONFIG: kubeconfig(url) }, "preview", "--config", "memcached:size=2", ...flags);
      assert.equal(away.code, 0, away.output);
      assert.ok(!/replace|delete/.test(away.output), away.output);
      assert.match(away.output, /Memcached memcached-sample .*update/);
    });
    const down = await pulumi({ KUBECONFIG }, "destroy", "--yes", "--skip-preview", ...flags);
    assert.equal(down.code, 0, down.output);
    await pulumi({}, "config", "rm", "skipAwait", ...flags);
  });

  it("previews with no image engine and nothing bundled, and says that the image is not built", async () => {
    await pulumi({}, "config", "rm", "image", ...flags);
    const { code, output } = await pulumi({}, "preview", ...flags);
    assert.equal(code, 0, output);
    assert.match(output, /\+ 21 to create/);
    assert.match(output, /OperatorImage operator-image create/);
  });

  it("refuses a bad configuration in a sentence, without a stack trace", async () => {
    await pulumi({}, "config", "set", "size", "101", ...flags);
    const { code, output } = await pulumi({}, "preview", ...flags);
    assert.notEqual(code, 0);
    assert.match(output, /Memcached "memcached-sample" is refused: spec\.size must be at most 100, not 101/);
    assert.ok(!/^\s+at /m.test(output), output);
  });
});
