import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../operator/runtime";
import { execCredentials } from "../../../operator/runtime/config/execCredentials";
import type { ExecConfig } from "../../../operator/runtime/config/execPlugin";
import { until } from "../../support/until";

const v1 = "client.authentication.k8s.io/v1";

describe("exec plugins of a kubeconfig", () => {
  let dir = "";
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "plugin-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  /** A program in the kubeconfig's folder. */
  const script = (text: string): string => {
    const path = join(dir, "plugin");
    writeFileSync(path, `#!/bin/sh\n${text}\n`);
    chmodSync(path, 0o755);
    return path;
  };
  const load = (exec: ExecConfig, cluster: object = {}) => {
    const path = join(dir, "config");
    const text = JSON.stringify({
      "current-context": "x",
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      clusters: [{ name: "c", cluster: { server: "https://api:6443", ...cluster } }],
      users: [{ name: "u", user: { exec: { apiVersion: v1, interactiveMode: "Never", ...exec } } }],
    });
    writeFileSync(path, text);
    return loadConfig({ kubeconfig: path, env: {} });
  };
  const answer = (status: string, apiVersion = v1) =>
    `printf '%s' '{"apiVersion":"${apiVersion}","kind":"ExecCredential","status":${status}}'`;
  /** What the plugin has found in its environment, by way of the token. */
  const told = async (exec: ExecConfig, cluster?: object): Promise<unknown> => {
    const program = `
      const status = { token: Buffer.from(process.env.KUBERNETES_EXEC_INFO).toString("base64url") };
      console.log(JSON.stringify({ apiVersion: process.argv[1], kind: "ExecCredential", status }));`;
    const args = ["-e", program, exec.apiVersion ?? v1];
    const config = await load({ command: process.execPath, args, ...exec }, cluster);
    const token = (await config.authorization())?.replace("Bearer ", "") ?? "";
    return JSON.parse(Buffer.from(token, "base64url").toString());
  };

  for (const apiVersion of [v1, `${v1}beta1`])
    it(`ManageIQ/kubeclient#568: learn from KUBERNETES_EXEC_INFO that ${apiVersion} is wanted, and that nobody can be asked`, async () => {
      const kind = "ExecCredential";
      assert.deepEqual(await told({ apiVersion }), { apiVersion, kind, spec: { interactive: false } });
    });

  it("kube-rs/kube#1328: learn of the cluster where provideClusterInfo says so, of a CA in a file as well", async () => {
    writeFileSync(join(dir, "ca.crt"), "CA");
    const config = { audience: "a" };
    const cluster = {
      "certificate-authority": "ca.crt",
      "tls-server-name": "kubernetes",
      "insecure-skip-tls-verify": true,
      "proxy-url": "http://proxy:3128",
      extensions: [
        { name: "example.com/other", extension: {} },
        { name: "client.authentication.k8s.io/exec", extension: config },
      ],
    };
    assert.deepEqual(await told({ provideClusterInfo: true }, cluster), {
      apiVersion: v1,
      kind: "ExecCredential",
      spec: {
        cluster: {
          server: "https://api:6443",
          "tls-server-name": "kubernetes",
          "insecure-skip-tls-verify": true,
          "certificate-authority-data": Buffer.from("CA").toString("base64"),
          "proxy-url": "http://proxy:3128",
          config,
        },
        interactive: false,
      },
    });
  });

  it("are found beside the kubeconfig, get its variables, and nothing on their standard input", async () => {
    script(`cat >&2; ${answer('{"token":"\'$A\'"}')}`);
    const config = await load({ command: "./plugin", env: [{ name: "A", value: "value" }] });
    assert.equal(await config.authorization(), "Bearer value");
  });

  it("may give a client certificate, which new connections are opened with", async () => {
    const command = script(answer('{"clientCertificateData":"CERT","clientKeyData":"KEY"}'));
    const data = Buffer.from("CA").toString("base64");
    const config = await load({ command }, { "certificate-authority-data": data });
    const tls = await config.tls();
    assert.deepEqual([tls.ca, tls.cert, tls.key], ["CA", "CERT", "KEY"]);
    assert.deepEqual(await config.tls(), tls);
    assert.equal(await config.authorization(), undefined);
  });

  it("are run again once what they gave has expired, and not before", async () => {
    const runs = join(dir, "runs");
    const soon = new Date(Date.now() + 1_500).toISOString();
    const command = script(
      `echo x >> ${runs}; ${answer(`{"token":"'$(wc -l < ${runs})'","expirationTimestamp":"${soon}"}`)}`,
    );
    const config = await load({ command });
    assert.equal(await config.authorization(), "Bearer 1");
    assert.equal(await config.authorization(), "Bearer 1");
    await until("another token", 5_000, async () => (await config.authorization()) === "Bearer 2");
    assert.ok(Date.now() >= Date.parse(soon));
  });

  const refused: [string, string, RegExp][] = [
    [
      "that fail",
      "echo 'not logged in:' >&2; echo ' run login' >&2; exit 7",
      /failed with exit code 7: not logged in: run login$/,
    ],
    ["that fail without a word", "exit 1", /failed with exit code 1$/],
    ["that give no JSON", "echo token", /gave no JSON$/],
    [
      "that answer in another version",
      answer('{"token":"t"}', `${v1}beta1`),
      /answered in .*v1beta1, but the kubeconfig says .*\/v1$/,
    ],
    ["that give nothing", answer("{}"), /gave neither a token nor a client certificate$/],
    [
      "that give half a certificate",
      answer('{"clientCertificateData":"C"}'),
      /gave only one of a client certificate and its key$/,
    ],
  ];
  for (const [which, text, words] of refused)
    it(`are told in one line: those ${which}`, async () => {
      const config = await load({ command: script(text) });
      const check = ({ message }: Error) => message.startsWith('exec plugin "') && words.test(message);
      await assert.rejects(config.authorization(), check);
      await assert.rejects(config.tls(), check);
    });

  it("are told how to be installed when they are missing", async () => {
    const config = await load({ command: "no-such-plugin", installHint: "get it\nfrom example.com" });
    await assert.rejects(config.authorization(), {
      message: 'exec plugin "no-such-plugin" was not found: get it from example.com',
    });
  });

  it("that hang are ended with all they have started, and told", async () => {
    const command = script(`echo $$ > ${dir}/pid; echo 'who are you?' >&2; sleep 300`);
    const tls = () => Promise.resolve({});
    const credentials = execCredentials({ apiVersion: v1, command }, tls, () => Promise.resolve(undefined), 1_500);
    await assert.rejects(credentials.authorization(), {
      message: `exec plugin "${command}" did not end within 1.5 s: who are you?`,
    });
    const group = -Number(readFileSync(join(dir, "pid"), "utf8"));
    await until("its processes to be gone", 5_000, () => {
      try {
        return !process.kill(group, 0);
      } catch {
        return true;
      }
    });
  });

  it("are refused at once where they cannot work", async () => {
    await assert.rejects(
      load({ command: "x", interactiveMode: "Always" }),
      /config: exec plugin "x" has interactiveMode Always, but nobody is there to answer it; use IfAvailable or Never/,
    );
    await assert.rejects(load({}), /config: exec\.command is not set$/);
    await assert.rejects(
      load({ command: "x", apiVersion: `${v1}alpha1` }),
      /config: exec\.apiVersion ".*v1alpha1" is not supported; use .*\/v1 or .*\/v1beta1$/,
    );
  });
});
