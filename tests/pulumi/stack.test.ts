import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
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

  it("previews with no kubeconfig, and says that no cluster was reached", async () => {
    const output = previewed(await pulumi({}, "preview", ...flags));
    assert.match(output, /warning: no cluster was reached \(no kubeconfig names one\)/);
  });

  it("previews with a cluster that refuses", async () => {
    const KUBECONFIG = kubeconfig("https://127.0.0.1:1");
    const output = previewed(await pulumi({ KUBECONFIG }, "preview", ...flags));
    assert.match(output, /warning: no cluster was reached \(https:\/\/127\.0\.0\.1:1: .*ECONNREFUSED/);
  });

  it("asks no longer than 2 s a cluster that is silent", async () => {
    // The provider, which names itself, is answered: its own patience is not what is tested.
    const silent = createServer((request, response) => {
      if (request.headers["user-agent"]) response.writeHead(404).end();
    });
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const asked = await pulumi({ KUBECONFIG: kubeconfig(server) }, "preview", ...flags);
    silent.close();
    assert.equal(asked.code, 0, asked.output);
    assert.match(asked.output, /warning: no cluster was reached \(.*no answer in 2 s\)/);
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
