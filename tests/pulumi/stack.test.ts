import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { stackSecrets } from "../support/keyService";
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
    await pulumi({}, "stack", "init", "--secrets-provider", stackSecrets.secretsProvider, ...flags);
    await pulumi({}, "config", "set", "image", "registry.example.com/memcached-operator:1", ...flags);
  });
  after(() => {
    sandbox.remove();
    rmSync(join(root, `Pulumi.${stack}.yaml`), { force: true });
  });

  function pulumi(env: Record<string, string>, ...args: string[]): Promise<{ code: number; output: string }> {
    const none = { HTTPS_PROXY: "", https_proxy: "", KUBERNETES_SERVICE_HOST: "" };
    // Types are checked once, by the first of the previews.
    const untyped = { PULUMI_NODEJS_TRANSPILE_ONLY: "true" };
    const options = {
      cwd: root,
      env: { ...sandbox.env, ...none, ...untyped, HOME: join(sandbox.dir, "home"), ...env },
    };
    return new Promise((resolve) =>
      execFile("pulumi", args, options, (error, stdout, stderr) =>
        resolve({ code: error ? Number(error.code ?? 1) : 0, output: stdout + stderr }),
      ),
    );
  }

  function kubeconfig(server: string, more: object = {}): string {
    const path = join(sandbox.dir, "home", `server-${new URL(server).port}`);
    const config = {
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster: { server, ...more } }],
      users: [{ name: "u", user: { token: "t" } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    };
    writeFileSync(path, JSON.stringify(config));
    return path;
  }

  const previewed = ({ code, output }: { code: number; output: string }) => {
    assert.equal(code, 0, output);
    assert.match(output, /\+ 21 to create/);
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

  it("pulumi/pulumi-kubernetes#349: previews with no kubeconfig, and says that no cluster was reached", async () => {
    const output = previewed(await pulumi({ PULUMI_NODEJS_TRANSPILE_ONLY: "false" }, "preview", ...flags));
    assert.match(output, /warning: no cluster was reached \(no kubeconfig names one\)/);
  });

  it("pulumi/pulumi-kubernetes#3027, #2374, #4049: previews with a dead cluster, in under 10 s", async () => {
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

  describe("once it is up", () => {
    let plane: ControlPlane;
    const warning = /warning: no cluster was reached \(([^]*?)\): this preview/g;

    before(async () => {
      plane = await controlPlane();
      await pulumi({}, "config", "set", "skipAwait", "true", ...flags);
      await pulumi({}, "config", "set", "cacheNamespace", await newNamespace(plane, "stack"), ...flags);
    });
    after(async () => {
      const down = await pulumi({ KUBECONFIG: plane.kubeconfig }, "destroy", "--yes", "--skip-preview", ...flags);
      assert.equal(down.code, 0, down.output);
      await pulumi({}, "config", "rm", "skipAwait", ...flags);
    });

    it("takes a list of kubeconfigs as kubectl does, finds no changes, and leaves no copy of one behind", async () => {
      const KUBECONFIG = [join(sandbox.dir, "none"), plane.kubeconfig].join(delimiter);
      const up = await pulumi({ KUBECONFIG }, "up", "--yes", "--skip-preview", ...flags);
      assert.equal(up.code, 0, up.output);
      const again = await pulumi({ KUBECONFIG }, "preview", "--refresh", "--expect-no-changes", ...flags);
      assert.equal(again.code, 0, again.output);
      assert.ok(!/warning/.test(again.output), again.output);
      assert.deepEqual(
        readdirSync(sandbox.dir).filter((name) => name.startsWith("kubeconfig")),
        [],
      );
    });

    const away: [string, () => string, RegExp][] = [
      ["is down", () => kubeconfig("https://127.0.0.1:1"), /^https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/],
      ["is no longer configured", () => join(sandbox.dir, "none"), /^no kubeconfig names one$/],
      ["has another certificate", () => kubeconfig(plane.url), /a certificate or credentials that are refused/],
      [
        "refuses the credentials",
        () => kubeconfig(plane.url, { "insecure-skip-tls-verify": true }),
        /a certificate or credentials that are refused/,
      ],
    ];
    for (const [what, path, reason] of away)
      it(`pulumi/pulumi-kubernetes#3027: previews no changes of what is there while its cluster ${what}, and warns once`, async () => {
        const { code, output } = await pulumi({ KUBECONFIG: path() }, "preview", "--diff", ...flags);
        assert.equal(code, 0, output);
        assert.match(output, /Resources:\s+21 unchanged$/m);
        const reasons = [...output.matchAll(warning)].map((match) => match[1]!);
        assert.equal(reasons.length, 1, output);
        assert.match(reasons[0]!, reason);
        // The resources that change nothing are not shown.
        assert.ok(output.split("\n").length < 12, output);
      });

    it("previews changes of what is there while its cluster is silent, and replaces nothing", async () => {
      await withSilentServer(async (url) => {
        const change = ["--config", "memcached:size=2"];
        const [result, ms] = await timed(pulumi({ KUBECONFIG: kubeconfig(url) }, "preview", ...change, ...flags));
        assert.equal(result.code, 0, result.output);
        assert.ok(!/replace|delete/.test(result.output), result.output);
        assert.match(result.output, /Memcached memcached-sample .*update/);
        assert.match(result.output, /1\d unchanged/);
        assert.ok(ms < 15_000, `${ms} ms`);
      });
    });
  });

  // Last, for these change the configuration.
  describe("configured otherwise", () => {
    it("previews with no image engine and nothing bundled, and says that the image is not built", async () => {
      await pulumi({}, "config", "rm", "image", ...flags);
      const { code, output } = await pulumi({}, "preview", ...flags);
      assert.equal(code, 0, output);
      assert.match(output, /\+ 22 to create/);
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
});
