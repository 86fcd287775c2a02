import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import type { V1Pod } from "@kubernetes/client-node";
import type { Memcached, MemcachedSpec } from "../../api";
import { deployOperator, testCluster, type TestCluster, undeployOperator } from "../support/testCluster";
import { until } from "../support/until";
import { Authority, type Pair } from "../support/certificates";
import { CertManager } from "./support/certManager";
import { Clients } from "./support/clients";

const NAMESPACE = "secure";
const PATH = `/apis/cache.example.com/v1/namespaces/${NAMESPACE}/memcacheds`;

/** Milliseconds for what needs pods to start or end. */
const PODS_MS = 60_000;
/** For a changed Secret: the kubelet's next look at it, and then the helper's. */
const ROTATION_MS = 120_000;

/** What secure.py is given, beside the address. */
interface Client {
  ca?: string;
  cert?: string;
  key?: string;
  maximum?: "TLSv1_2";
  user?: string;
  password?: string;
}

interface Steady {
  operations: number;
  connections: number;
  failed: [second: number, error: string][];
  seconds: number;
  lost: number;
}

describe("caches that speak TLS and ask for a password", function () {
  this.timeout(300_000);
  let cluster: TestCluster;
  let clients: Clients;
  let authority: Authority;
  let stranger: Authority;

  const apply = (object: object) => cluster.kubectlRun(["apply", "-f", "-"], JSON.stringify(object));
  const object = (kind: string, name: string, rest: object, apiVersion = "v1") =>
    apply({ apiVersion, kind, metadata: { name, namespace: NAMESPACE }, ...rest });
  const cache = (name: string, spec: MemcachedSpec) =>
    object("Memcached", name, { spec: { memory: "16Mi", threads: 1, ...spec } }, "cache.example.com/v1");
  const tlsSecret = (name: string, { cert, key }: Pair) =>
    object("Secret", name, { type: "kubernetes.io/tls", stringData: { "tls.crt": cert, "tls.key": key } });
  const users = (name: string, ...lines: string[]) =>
    object("Secret", name, { stringData: { users: lines.map((line) => `${line}\n`).join("") } });
  const host = (name: string) => `${name}.${NAMESPACE}.svc.cluster.local`;
  const issue = (name: string) => authority.issue(name, [host(name)]);

  const ready = (name: string) =>
    until(`${name} to be ready`, PODS_MS, async () => {
      const found = await cluster.client.json<Memcached>("GET", `${PATH}/${name}`);
      const condition = found.status?.conditions?.find(({ type }) => type === "Ready");
      const isReady = condition?.status === "True" && condition.observedGeneration === found.metadata.generation;
      if (isReady) return found;
      throw new Error(JSON.stringify(found.status));
    });

  const podOf = async (name: string) => {
    const selector = encodeURIComponent(`app.kubernetes.io/instance=${name}`);
    const path = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`;
    const { items } = await cluster.client.json<{ items: V1Pod[] }>("GET", path);
    assert.equal(items.length, 1);
    return items[0]!;
  };
  /** The pod, and which process serves in it. */
  const server = async (name: string) => {
    const { metadata, status } = await podOf(name);
    return { uid: metadata?.uid, id: status?.containerStatuses?.map(({ containerID }) => containerID) };
  };
  const logs = async (name: string, container = "memcached") =>
    cluster.kubectlRun(["logs", "-n", NAMESPACE, (await podOf(name)).metadata?.name ?? "", "-c", container]);

  const ask = async <T>(name: string, action: "once" | "serial" | "steady", client: Client, port = 11211) => {
    const given = { address: `${host(name)}:${port}`, ...client };
    return JSON.parse(await clients.python("secure.py", JSON.stringify(given), action)) as T & { error?: string };
  };
  const serves = async (name: string, client: Client, port?: number) =>
    assert.deepEqual(await ask(name, "once", client, port), { ok: true });
  const refuses = async (name: string, client: Client, why: RegExp) => {
    const { error = "it was served" } = await ask<object>(name, "once", client);
    assert.match(error, why);
  };
  const serial = async (name: string, client: Client) => (await ask<{ serial: string }>(name, "serial", client)).serial;

  /** What a client at work sees while `change` is done and until `isDone`. */
  const whileAtWork = async (name: string, client: Client, change: () => Promise<void>): Promise<Steady> => {
    await clients.remove("/tmp/stop", "/tmp/started");
    const steady = ask<Steady>(name, "steady", client);
    steady.catch(() => undefined);
    await Promise.race([clients.awaitFile("/tmp/started"), steady]);
    try {
      await change();
    } finally {
      await clients.touch("/tmp/stop");
    }
    const { error, ...seen } = await steady;
    assert.equal(error, undefined);
    return seen;
  };

  let client: Pair;
  const first: Record<string, Pair> = {};
  const ca = () => ({ ca: authority.ca });
  const mine = () => ({ ...ca(), cert: client.cert, key: client.key });
  const app = { user: "app", password: "first" };

  before(async () => {
    cluster = await testCluster();
    await deployOperator(cluster);
    await cluster.kubectlRun(["create", "namespace", NAMESPACE]);
    await cluster.kubectlRun(["label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted"]);
    [authority, stranger] = await Promise.all([Authority.make(), Authority.make()]);
    client = await authority.issue("client");
    for (const name of ["encrypted", "mutual", "both"]) await tlsSecret(name, (first[name] = await issue(name)));
    await object("ConfigMap", "client-ca", { data: { "ca.crt": authority.ca } });
    await users("users", "app:first");
    const clientCA = { configMapName: "client-ca" };
    await cache("plain", { size: 1 });
    await cache("encrypted", { size: 1, tls: { secretName: "encrypted", plaintextPort: 11311, minVersion: "1.3" } });
    await cache("mutual", { size: 1, tls: { secretName: "mutual", clientCA } });
    await cache("asking", { size: 1, auth: { secretName: "users" } });
    await cache("both", {
      size: 1,
      workload: "StatefulSet",
      tls: { secretName: "both", clientCA },
      auth: { secretName: "users" },
    });
    clients = await Clients.start(cluster, NAMESPACE);
    for (const name of ["plain", "encrypted", "mutual", "asking", "both"]) await ready(name);
  });

  after(async () => {
    if (!cluster) return;
    await cluster.kubectlTry(["delete", "namespace", NAMESPACE, "--ignore-not-found", "--wait=false"]);
    await undeployOperator(cluster);
  });

  it("without TLS and password: everyone is served", () => serves("plain", {}));

  it("with TLS: who speaks it is served, also without it on the second port; who does not, or an old version, is refused", async () => {
    await serves("encrypted", ca());
    await serves("encrypted", {}, 11311);
    await refuses("encrypted", {}, /EOFError|ConnectionReset|timed out/);
    await refuses("encrypted", { ...ca(), maximum: "TLSv1_2" }, /PROTOCOL_VERSION/i);
    await refuses("encrypted", { ca: stranger.ca }, /CERTIFICATE_VERIFY_FAILED/);
  });

  it("with TLS and certificates of clients: no one without a certificate of that authority is served", async () => {
    await serves("mutual", mine());
    await refuses("mutual", ca(), /CERTIFICATE_REQUIRED|EOFError|ConnectionReset/i);
    const { cert, key } = await stranger.issue("client");
    await refuses("mutual", { ...ca(), cert, key }, /UNKNOWN_CA|EOFError|ConnectionReset/i);
  });

  it("with a password: no one without it is served", async () => {
    await serves("asking", app);
    await refuses("asking", {}, /CLIENT_ERROR/);
    await refuses("asking", { user: "app", password: "guess" }, /authentication failure/);
  });

  it("with both: a certificate does not replace the password, nor the password the certificate", async () => {
    await serves("both", { ...mine(), ...app });
    await refuses("both", mine(), /CLIENT_ERROR/);
    await refuses("both", { ...ca(), ...app }, /CERTIFICATE_REQUIRED|EOFError|ConnectionReset/i);
  });

  it("takes a renewed certificate while clients are at work: none fails, no item is lost, no server restarts", async () => {
    const before = await server("both");
    const next = await authority.issue("both", [host("both"), "renewed"]);
    const at = { ...mine(), ...app };
    assert.equal(await serial("both", at), first.both!.serial);
    const seen = await whileAtWork("both", at, async () => {
      await tlsSecret("both", next);
      await until("the renewed certificate", ROTATION_MS, async () => (await serial("both", at)) === next.serial);
    });
    assert.deepEqual(seen.failed, []);
    assert.equal(seen.lost, 0);
    assert.ok(seen.operations > 150 * seen.seconds, JSON.stringify(seen));
    assert.ok(seen.connections > 0);
    assert.deepEqual(await server("both"), before);
  });

  it("takes another password: the old one beside the new one first, then no more; no server restarts", async () => {
    const before = await server("asking");
    const seen = await whileAtWork("asking", app, async () => {
      await users("users", "app:first", "app:second");
      const isTaken = async () => !(await ask<object>("asking", "once", { ...app, password: "second" })).error;
      await until("the new password", ROTATION_MS, isTaken);
      await serves("asking", app);
    });
    assert.deepEqual([seen.failed, seen.lost], [[], 0]);
    await users("users", "app:second");
    const isRefused = async () => /authentication failure/.test((await ask<object>("asking", "once", app)).error ?? "");
    await until("the old password to be refused", ROTATION_MS, isRefused);
    await serves("asking", { ...app, password: "second" });
    assert.deepEqual(await server("asking"), before);
  });

  it("keeps what it has when the Secret changes to what memcached would not start with, and takes the next that fits", async () => {
    const before = await server("mutual");
    const { cert } = await issue("mutual");
    await tlsSecret("mutual", { ...first.mutual!, cert });
    const said = /does not start with the changed files/;
    await until("the helper to say so", ROTATION_MS, async () => said.test(await logs("mutual", "reload")));
    await serves("mutual", mine());
    assert.equal(await serial("mutual", mine()), first.mutual!.serial);
    const next = await issue("mutual");
    await tlsSecret("mutual", next);
    await until("the next certificate", ROTATION_MS, async () => (await serial("mutual", mine())) === next.serial);
    assert.deepEqual(await server("mutual"), before);
  });

  it("takes a certificate of cert-manager, and its renewal without a restart", async () => {
    const certManager = await CertManager.start(cluster);
    try {
      await certManager.makeIssuer(NAMESPACE);
      const { ca } = await certManager.certificate(NAMESPACE, "managed", { dnsNames: [host("managed")] });
      await cache("managed", { size: 1, tls: { secretName: "managed" } });
      await ready("managed");
      const before = await server("managed");
      await serves("managed", { ca });
      const { cert } = await certManager.renew(NAMESPACE, "managed");
      const next = new X509Certificate(cert).serialNumber.toLowerCase();
      await until("the renewed certificate", ROTATION_MS, async () => (await serial("managed", { ca })) === next);
      assert.deepEqual(await server("managed"), before);
    } finally {
      await certManager.stop();
    }
  });

  it("with a network policy: no connection for a pod that it does not name", async () => {
    await cache("closed", { size: 1, networkPolicy: { from: [{ podSelector: { matchLabels: { access: "yes" } } }] } });
    await ready("closed");
    const isRefused = async () => /timed out/.test((await ask<object>("closed", "once", {})).error ?? "");
    await until("the policy to close the server", PODS_MS, isRefused);
    await cluster.kubectlRun(["label", "-n", NAMESPACE, "pod/clients", "access=yes"]);
    await until("the policy to let the pod in", PODS_MS, async () => !(await isRefused()));
    await serves("closed", {});
  });

  it("says by the kubelet's words which Secret is missing, and starts once it is there", async () => {
    await cache("early", { size: 1, auth: { secretName: "late-users" } });
    const degraded = await until("Degraded to be True", PODS_MS, async () => {
      const { status } = await cluster.client.json<Memcached>("GET", `${PATH}/early`);
      const found = status?.conditions?.find(({ type }) => type === "Degraded");
      return found?.status === "True" && found;
    });
    assert.match(`${degraded.reason} ${degraded.message}`, /^FailedMount pod early-.*"late-users" not found: create/);
    await users("late-users", "app:first");
    await ready("early");
    await serves("early", app);
  });

  it("starts with every combination of TLS, password, workload, policy and budget", async () => {
    const names: string[] = [];
    for (const tls of [undefined, {}, { clientCA: { configMapName: "client-ca" } }])
      for (const auth of [undefined, { secretName: "users" }])
        for (const workload of ["Deployment", "StatefulSet"] as const) {
          const name = `mixed-${names.length}`;
          names.push(name);
          const isOdd = names.length % 2 === 1;
          await cache(name, {
            size: 1,
            workload,
            resources: { requests: { cpu: "1m" } },
            ...(tls && { tls: { secretName: "encrypted", ...tls } }),
            ...(auth && { auth }),
            ...(isOdd && { networkPolicy: { from: [{ podSelector: {} }] } }),
            ...(!isOdd && { disruptionBudget: { minAvailable: "50%" } }),
          });
        }
    for (const name of names) await ready(name);
    assert.equal(names.length, 12);
  });

  it("writes nothing of its probes into the servers' logs", async () => {
    for (const name of ["plain", "asking", "mutual"])
      assert.doesNotMatch(await logs(name), /accept|SSL/i, `the log of ${name}`);
  });
});
