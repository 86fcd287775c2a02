import assert from "node:assert/strict";
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "../../../operator/runtime";
import { until } from "../../support/until";
import { inClusterConfig } from "../../../operator/runtime/config/inCluster";

describe("loadConfig", () => {
  let dir = "";
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "config-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  const write = (name: string, text: string) => {
    const path = join(dir, name);
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const kubeconfig = (cluster: object, user: object, more: object = {}) =>
    write(
      "config",
      JSON.stringify({
        "current-context": "here",
        contexts: [{ name: "here", context: { cluster: "c", user: "u", namespace: "ns" } }],
        clusters: [{ name: "c", cluster: { server: "https://api:6443/", ...cluster } }],
        users: [{ name: "u", user }],
        ...more,
      }),
    );

  it("reads certificates from paths beside the file, and sees them rotated", async () => {
    write("pki/ca.crt", "CA 1");
    write("pki/me.crt", "CERT 1");
    write("pki/me.key", "KEY 1");
    const user = { "client-certificate": "pki/me.crt", "client-key": "pki/me.key" };
    const config = await loadConfig({
      kubeconfig: kubeconfig({ "certificate-authority": "pki/ca.crt" }, user),
      env: {},
    });
    assert.equal(config.server, "https://api:6443");
    assert.equal(config.namespace, "ns");
    const first = await config.tls();
    assert.deepEqual([first.ca, first.cert, first.key], ["CA 1", "CERT 1", "KEY 1"]);
    assert.deepEqual(await config.tls(), first);
    write("pki/me.crt", "CERT 2");
    await until("the new certificate", 3_000, async () => (await config.tls()).cert === "CERT 2");
    assert.equal(await config.authorization(), undefined);
  });

  it("prefers inline data, and reads insecure-skip-tls-verify, tls-server-name and proxy-url", async () => {
    const data = Buffer.from("INLINE").toString("base64");
    const config = await loadConfig({
      kubeconfig: kubeconfig(
        {
          "certificate-authority-data": data,
          "certificate-authority": "nowhere",
          "insecure-skip-tls-verify": true,
          "tls-server-name": "kubernetes",
          "proxy-url": "http://proxy:3128",
        },
        { token: "secret" },
      ),
      env: {},
    });
    const tls = await config.tls();
    assert.deepEqual([tls.ca, tls.rejectUnauthorized, tls.servername], ["INLINE", false, "kubernetes"]);
    assert.equal(config.proxyUrl, "http://proxy:3128");
    assert.equal(await config.authorization(), "Bearer secret");
  });

  it("skips verification where there is no certificate to verify with either, over plain HTTP as well", async () => {
    for (const server of ["https://api:6443", "http://127.0.0.1:8001"]) {
      const cluster = { server, "insecure-skip-tls-verify": true };
      const config = await loadConfig({ kubeconfig: kubeconfig(cluster, {}), env: {} });
      assert.equal(config.server, server);
      assert.equal((await config.tls()).rejectUnauthorized, false);
      assert.equal(await config.authorization(), undefined);
    }
  });

  it("gives the token of an auth provider", async () => {
    const part = (claims: object) => Buffer.from(JSON.stringify(claims)).toString("base64url");
    const token = `${part({ alg: "none" })}.${part({ exp: 99_999_999_999 })}.${part({})}`;
    const provider = { name: "oidc", config: { "id-token": token } };
    const config = await loadConfig({ kubeconfig: kubeconfig({}, { "auth-provider": provider }), env: {} });
    assert.equal(await config.authorization(), `Bearer ${token}`);
  });

  it("kubernetes-client/javascript#1240: reads a token file anew when the server says 401", async () => {
    write("token", "first\n");
    const config = await loadConfig({ kubeconfig: kubeconfig({}, { tokenFile: "token", token: "ignored" }), env: {} });
    assert.equal(await config.authorization(), "Bearer first");
    write("token", "second\n");
    assert.equal(await config.authorization(true), "Bearer second");
    rmSync(join(dir, "token"));
    assert.equal(await config.authorization(true), "Bearer second");
  });

  it("knows user names and passwords", async () => {
    const config = await loadConfig({ kubeconfig: kubeconfig({}, { username: "me", password: "pass" }), env: {} });
    assert.equal(await config.authorization(), `Basic ${Buffer.from("me:pass").toString("base64")}`);
  });

  it("runs an exec plugin for a token, and once more for however many requests are refused with it", async () => {
    const runs = join(dir, "runs");
    const program = `
      const { appendFileSync, readFileSync } = require("node:fs");
      appendFileSync(${JSON.stringify(runs)}, "x");
      const token = "token-" + readFileSync(${JSON.stringify(runs)}, "utf8").length;
      const apiVersion = "client.authentication.k8s.io/v1";
      process.stdout.write(JSON.stringify({ apiVersion, kind: "ExecCredential", status: { token } }));`;
    const exec = {
      apiVersion: "client.authentication.k8s.io/v1",
      command: process.execPath,
      args: ["-e", program],
      interactiveMode: "Never",
    };
    const config = await loadConfig({ kubeconfig: kubeconfig({}, { exec }), env: {} });
    const ask = (refresh: boolean) =>
      Promise.all(Array.from({ length: 10 }, () => config.authorization(refresh))).then((all) => [...new Set(all)]);
    assert.deepEqual(await ask(false), ["Bearer token-1"]);
    assert.deepEqual(await ask(true), ["Bearer token-2"]);
    assert.deepEqual(await ask(true), ["Bearer token-2"]);
  }).timeout(20_000);

  it("merges the files of KUBECONFIG, the first to name a thing winning", async () => {
    const one = write("one", JSON.stringify({ clusters: [{ name: "c", cluster: { server: "https://one" } }] }));
    const two = kubeconfig({ server: "https://two" }, { token: "two" });
    const config = await loadConfig({ env: { KUBECONFIG: `${one}:${two}` } });
    assert.equal(config.server, "https://one");
    assert.equal(await config.authorization(), "Bearer two");
  });

  it("says in one sentence what is wrong", async () => {
    const load = (path: string) => loadConfig({ kubeconfig: path, env: {} });
    await assert.rejects(load(join(dir, "none")), /^Error: cannot read kubeconfig .*none: ENOENT/);
    await assert.rejects(load(write("bad", "a: [")), /^Error: kubeconfig .*bad is not valid/);
    await assert.rejects(load(write("empty", "")), /is not valid: it is not a mapping/);
    await assert.rejects(load(kubeconfig({}, {}, { "current-context": "" })), /current-context is not set/);
    await assert.rejects(load(kubeconfig({}, {}, { "current-context": "x" })), /there is no context "x"/);
    await assert.rejects(load(kubeconfig({}, {}, { users: [] })), /there is no user "u"/);
    await assert.rejects(load(kubeconfig({ server: "https://" }, {})), /server "https:\/\/" is not a URL/);
    await assert.rejects(loadConfig({ env: { HOME: dir } }), /no cluster is configured: give --kubeconfig/);
  });

  it("kubernetes-client/javascript#380: puts an IPv6 service host into brackets, and follows the pod's token", async () => {
    write("token", "first");
    write("ca.crt", "CA 1");
    write("namespace", "mine");
    const config = await inClusterConfig({ KUBERNETES_SERVICE_HOST: "fd00::1", KUBERNETES_SERVICE_PORT: "6443" }, dir);
    assert.equal(config.server, "https://[fd00::1]:6443");
    assert.equal(config.namespace, "mine");
    const first = await config.tls();
    assert.equal(first.ca, "CA 1");
    assert.deepEqual(await config.tls(), first);
    write("ca.crt", "CA 2");
    await until("the new CA", 3_000, async () => (await config.tls()).ca === "CA 2");
  });
});
