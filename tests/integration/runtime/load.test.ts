import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Transport, isApiError } from "../../../operator/runtime";
import type { Key } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { until } from "../../support/until";
import type { Seen } from "./faultProxy";
import { FaultProxy } from "./faultProxy";
import { configMap, secrets, startManager, stopManagers } from "./harness";
import type { Running } from "./harness";

describe("under load", () => {
  let cp: ControlPlane;
  let proxy: FaultProxy;
  let namespace: string;

  before(async function () {
    this.timeout(90_000);
    cp = await controlPlane();
  });
  beforeEach(async () => {
    namespace = await newNamespace(cp);
    proxy = await FaultProxy.start(cp);
  });
  afterEach(async () => {
    await stopManagers();
    await proxy.stop();
    await deleteNamespace(cp, namespace);
  });

  const path = () => `/api/v1/namespaces/${namespace}/configmaps`;
  const create = async (names: string[]) => {
    for (let i = 0; i < names.length; i += 20) {
      const batch = names.slice(i, i + 20).map((name) => cp.client.json("POST", path(), configMap(namespace, name)));
      await Promise.all(batch);
    }
  };
  const names = (count: number, prefix = "source") => Array.from({ length: count }, (_, i) => `${prefix}-${i}`);
  /** One secret for each config map, applied by server-side apply. */
  const copying = (running: () => Running, done: Set<string>) => async (key: Key) => {
    const body = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: key.name, namespace },
      stringData: { of: key.name },
    };
    const { manager } = running();
    await manager.client.apply(secrets, body, { fieldManager: "test", force: true });
    done.add(key.name);
  };
  function start(done: Set<string>, options = {}): Running {
    const running: Running = startManager(proxy.config, namespace, (key) => copying(() => running, done)(key), options);
    return running;
  }
  const write = (seen: Seen) => seen.method === "PATCH";

  it("javascript#2893, kueue#8564: 300 objects cost one write each, few connections, and no waiting between writes", async () => {
    const done = new Set<string>();
    const { manager } = start(done, { setup: (m: Running["manager"]) => m.store(secrets) });
    await until("the first watch", 5_000, () => proxy.count((seen) => seen.watch) === 2);
    await create(names(300));
    await until("300 copies", 20_000, () => done.size === 300);
    assert.equal(proxy.count(write), 300);
    assert.equal(
      proxy.count((seen) => seen.method === "GET" && !seen.watch),
      0,
    );
    assert.ok(proxy.handshakes <= 24, `${proxy.handshakes} handshakes`);
    const times = proxy.seen.filter(write).map((seen) => seen.at);
    const rate = 300 / (((times.at(-1) ?? 0) - (times[0] ?? 0)) / 1000);
    assert.ok(rate > 50, `${rate.toFixed(0)} writes a second`);
    const metrics = await manager.metrics.metrics();
    assert.match(metrics, /controller_runtime_reconcile_total\{controller="test",result="success"\} 3\d\d/);
    assert.match(metrics, /rest_client_requests_total\{code="20[01]",method="PATCH",host="127.0.0.1:\d+"\} \d+/);
  });

  it("percona-server-mongodb-operator#2494: converged, it asks for nothing", async () => {
    await create(names(50));
    const done = new Set<string>();
    start(done);
    await until("50 copies", 10_000, () => done.size === 50);
    const from = proxy.seen.length;
    const sockets = readdirSync("/proc/self/fd").length;
    const started = performance.now();
    await until("four quiet seconds", 10_000, () => performance.now() - started > 4_000);
    assert.deepEqual(proxy.seen.slice(from), []);
    assert.ok(readdirSync("/proc/self/fd").length <= sockets);
  });

  it("trino-lb#83: twenty passes that hang do not keep others from running", async () => {
    const done = new Set<string>();
    proxy.fault = (seen) => (write(seen) && seen.path.includes("/hung-") ? "hang" : "pass");
    start(done, { gracePeriodMs: 100 });
    await create(names(20, "hung"));
    await until("the hung writes", 10_000, () => proxy.count((seen) => seen.path.includes("/hung-")) >= 16);
    const started = performance.now();
    await create(["other"]);
    await until("the other copy", 10_000, () => done.has("other"));
    assert.ok(performance.now() - started < 5_000);
  });

  it("datadog-operator#2816: a fresh object among many of which some fail for ever is served within 2 s", async () => {
    const done = new Set<string>();
    await create([...names(200, "failing"), ...names(200)]);
    proxy.fault = (seen) => (write(seen) && seen.path.includes("/failing-") ? { status: 422, body: "{}" } : "pass");
    start(done);
    await until("the healthy copies", 15_000, () => done.size >= 200);
    const started = performance.now();
    await create(["fresh"]);
    await until("the fresh copy", 5_000, () => done.has("fresh"));
    assert.ok(performance.now() - started < 2_000);
  });

  it("outlives a server that throttles, waiting as long as it is told", async () => {
    const done = new Set<string>();
    let throttled = 0;
    proxy.fault = (seen) =>
      write(seen) && throttled++ < 5 ? { status: 429, headers: { "retry-after": "1" }, body: "{}" } : "pass";
    const { lines } = start(done);
    await create(names(5));
    await until("5 copies", 10_000, () => done.size === 5);
    const [first = 0, ...later] = proxy.seen.filter(write).map((seen) => seen.at);
    assert.ok(later.slice(4).every((at) => at - first > 900));
    assert.ok(lines.every((line) => line.level !== "error"));
  });

  it("javascript#1240: a token that is rotated and revoked costs no pass", async () => {
    const account = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await cp.client.json("POST", account, { metadata: { name: "rotating" } });
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    await cp.client.json("POST", `${rbac}/rolebindings`, {
      metadata: { name: "rotating" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name: "rotating", namespace }],
    });
    /** A token that dies with the secret it is bound to. */
    const issue = async (bound: string) => {
      const secret = await cp.client.json<{ metadata: { uid: string } }>(
        "POST",
        `/api/v1/namespaces/${namespace}/secrets`,
        {
          metadata: { name: bound },
        },
      );
      const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: bound, uid: secret.metadata.uid };
      const spec = { audiences: [], boundObjectRef };
      const kind = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" };
      const answer = await cp.client.json<{ status: { token: string } }>("POST", `${account}/rotating/token`, {
        ...kind,
        spec,
      });
      return answer.status.token;
    };
    const current = { token: await issue("first"), file: "" };
    current.file = current.token;
    const tls = { ca: readFileSync(join(cp.pki, "ca.crt"), "utf8") };
    const config = {
      server: cp.url,
      tls: () => Promise.resolve(tls),
      authorization: (refresh?: boolean) => {
        if (refresh) current.token = current.file;
        return Promise.resolve(`Bearer ${current.token}`);
      },
    };
    const done = new Set<string>();
    const failures: unknown[] = [];
    const running: Running = startManager(config, namespace, async (key) => {
      await copying(
        () => running,
        done,
      )(key).catch((error: unknown) => {
        if (isApiError(error, 401)) failures.push(error);
        throw error;
      });
    });
    await create(["before"]);
    await until("the first copy", 10_000, () => done.has("before"));
    const old = current.token;
    current.file = await issue("second");
    await cp.client.json("DELETE", `/api/v1/namespaces/${namespace}/secrets/first`);
    const revoked = new Transport({
      config: { ...config, authorization: () => Promise.resolve(`Bearer ${old}`) },
      userAgent: "test",
    });
    const list = { method: "GET" as const, path: path(), timeoutMs: 5_000 };
    // The API server remembers good tokens for 10 s.
    await until("the first token to be refused", 15_000, () =>
      revoked.json(list).then(
        () => false,
        (error: unknown) => isApiError(error, 401),
      ),
    );
    await revoked.close();
    await create(["after"]);
    await until("the copy after the rotation", 15_000, () => done.has("after"));
    assert.deepEqual(failures, []);
  });
});
