import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Transport, isApiError } from "../../../operator/runtime";
import type { Key } from "../../../operator/runtime";
import { until } from "../../support/until";
import type { Seen } from "./faultProxy";
import { secrets, startManager } from "./harness";
import type { ManagerSetup, Running } from "./harness";
import { names, useLab } from "./lab";

describe("under load", () => {
  const lab = useLab();
  /** One secret for each config map, applied by server-side apply. */
  const copying = (running: () => Running, done: Set<string>, timeoutMs?: number) => async (key: Key) => {
    const body = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: key.name, namespace: lab.namespace },
      stringData: { of: key.name },
    };
    const { manager } = running();
    await manager.client.apply(secrets, body, { fieldManager: "test", force: true, timeoutMs });
    done.add(key.name);
  };
  function start(done: Set<string>, options?: ManagerSetup, timeoutMs?: number): Running {
    const running: Running = lab.start((key) => copying(() => running, done, timeoutMs)(key), options);
    return running;
  }
  const write = (seen: Seen) => seen.method === "PATCH";

  it("kubernetes-client/javascript#2893, kubernetes-sigs/kueue#8564: 300 objects cost a pass and a write each, few connections, and no waiting between writes", async () => {
    const done = new Set<string>();
    const { manager } = start(done, {
      watches: (m) => [{ store: m.store(secrets), map: ({ metadata }) => [lab.key(metadata.name)] }],
    });
    await until("the first watch", 5_000, () => lab.proxy.count((seen) => seen.watch) === 2);
    await lab.create(...names(300));
    await until("300 copies", 20_000, () => done.size === 300);
    assert.equal(lab.proxy.count(write), 300);
    assert.equal(
      lab.proxy.count((seen) => seen.method === "GET" && !seen.watch),
      0,
    );
    assert.ok(lab.proxy.handshakes <= 24, `${lab.proxy.handshakes} handshakes`);
    // A client that holds itself back sends one after the other.
    assert.ok(lab.proxy.mostAtOnce >= 8, `${lab.proxy.mostAtOnce} requests at once`);
    const metrics = await manager.metrics.metrics();
    assert.match(metrics, /controller_runtime_reconcile_total\{controller="test",result="success"\} 300\n/);
    assert.match(metrics, /rest_client_requests_total\{code="20[01]",method="PATCH",host="127.0.0.1:\d+"\} 300\n/);
  });

  it("percona/percona-server-mongodb-operator#2494: converged, it asks for nothing but its lease", async () => {
    await lab.create(...names(50));
    const done = new Set<string>();
    start(done, { leaderElection: { id: "test", namespace: lab.namespace } });
    await until("50 copies", 10_000, () => done.size === 50);
    await until(
      "the event of the election",
      5_000,
      () => lab.proxy.count((seen) => seen.path.includes("/events")) === 1,
    );
    const from = lab.proxy.seen.length;
    const sockets = readdirSync("/proc/self/fd").length;
    const renewals = () => lab.proxy.seen.slice(from).filter((seen) => seen.path.includes("/leases/"));
    await until("two renewals", 10_000, () => renewals().length === 2);
    assert.equal(lab.proxy.seen.length - from, 2);
    assert.ok(renewals().every((seen) => seen.method === "PUT"));
    assert.ok(readdirSync("/proc/self/fd").length <= sockets);
  });

  it("stackabletech/trino-lb#83: twenty passes that hang do not keep others from running", async () => {
    const done = new Set<string>();
    lab.proxy.fault = (seen) => (write(seen) && seen.path.includes("/hung-") ? "hang" : "pass");
    start(done, { gracePeriodMs: 100 });
    await lab.create(...names(20, "hung"));
    await until("the hung writes", 10_000, () => lab.proxy.count((seen) => seen.path.includes("/hung-")) >= 16);
    const started = performance.now();
    await lab.create("other");
    await until("the other copy", 10_000, () => done.has("other"));
    assert.ok(performance.now() - started < 5_000);
  });

  it("kubernetes-client/javascript#2432: a write that gets no answer is given up and tried again", async () => {
    const done = new Set<string>();
    let hung = 0;
    lab.proxy.fault = (seen) => (write(seen) && hung++ < 3 ? "hang" : "pass");
    const { manager } = start(done, {}, 500);
    await lab.create(...names(3));
    await until("3 copies", 10_000, () => done.size === 3);
    assert.equal(lab.proxy.count(write), 6);
    const metrics = await manager.metrics.metrics();
    assert.match(metrics, /controller_runtime_reconcile_errors_total\{controller="test"\} 3\n/);
    assert.match(metrics, /rest_client_requests_total\{code="<error>",method="PATCH",host="127.0.0.1:\d+"\} 3\n/);
  });

  it("DataDog/datadog-operator#2816: a fresh object among many of which some fail for ever is served within 2 s", async () => {
    const done = new Set<string>();
    await lab.create(...names(200, "failing"), ...names(200));
    lab.proxy.fault = (seen) => (write(seen) && seen.path.includes("/failing-") ? { status: 422, body: "{}" } : "pass");
    start(done);
    await until("the healthy copies", 15_000, () => done.size >= 200);
    const started = performance.now();
    await lab.create("fresh");
    await until("the fresh copy", 5_000, () => done.has("fresh"));
    assert.ok(performance.now() - started < 2_000);
  });

  it("outlives a server that throttles, waiting as long as it is told", async () => {
    const done = new Set<string>();
    let throttled = 0;
    lab.proxy.fault = (seen) =>
      write(seen) && throttled++ < 5 ? { status: 429, headers: { "retry-after": "1" }, body: "{}" } : "pass";
    const { lines } = start(done);
    await lab.create(...names(5));
    await until("5 copies", 10_000, () => done.size === 5);
    const [first = 0, ...later] = lab.proxy.seen.filter(write).map((seen) => seen.at);
    assert.ok(later.slice(4).every((at) => at - first > 900));
    assert.ok(lines.every((line) => line.level !== "error"));
  });

  it("kubernetes-client/javascript#1240: a token that is rotated and revoked costs no pass", async () => {
    const account = lab.path("serviceaccounts");
    await lab.cp.client.json("POST", account, { metadata: { name: "rotating" } });
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${lab.namespace}`;
    await lab.cp.client.json("POST", `${rbac}/rolebindings`, {
      metadata: { name: "rotating" },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
      subjects: [{ kind: "ServiceAccount", name: "rotating", namespace: lab.namespace }],
    });
    /** A token that dies with the secret it is bound to. */
    const issue = async (bound: string) => {
      const secret = await lab.cp.client.json<{ metadata: { uid: string } }>("POST", lab.path("secrets"), {
        metadata: { name: bound },
      });
      const boundObjectRef = { apiVersion: "v1", kind: "Secret", name: bound, uid: secret.metadata.uid };
      const spec = { audiences: [], boundObjectRef };
      const kind = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest" };
      const answer = await lab.cp.client.json<{ status: { token: string } }>("POST", `${account}/rotating/token`, {
        ...kind,
        spec,
      });
      return answer.status.token;
    };
    const current = { token: await issue("first"), file: "" };
    current.file = current.token;
    const tls = { ca: readFileSync(join(lab.cp.pki, "ca.crt"), "utf8") };
    const config = {
      server: lab.cp.url,
      tls: () => Promise.resolve(tls),
      authorization: (refresh?: boolean) => {
        if (refresh) current.token = current.file;
        return Promise.resolve(`Bearer ${current.token}`);
      },
    };
    const done = new Set<string>();
    const failures: unknown[] = [];
    const running: Running = startManager(config, lab.namespace, async (key) => {
      await copying(
        () => running,
        done,
      )(key).catch((error: unknown) => {
        if (isApiError(error, 401)) failures.push(error);
        throw error;
      });
    });
    await lab.create("before");
    await until("the first copy", 10_000, () => done.has("before"));
    const old = current.token;
    current.file = await issue("second");
    await lab.cp.client.json("DELETE", lab.path("secrets", "first"));
    const revoked = new Transport({
      config: { ...config, authorization: () => Promise.resolve(`Bearer ${old}`) },
      userAgent: "test",
    });
    const list = { method: "GET" as const, path: lab.path("configmaps"), timeoutMs: 5_000 };
    // The API server remembers good tokens for 10 s.
    await until("the first token to be refused", 15_000, () =>
      revoked.json(list).then(
        () => false,
        (error: unknown) => isApiError(error, 401),
      ),
    );
    await revoked.close();
    await lab.create("after");
    await until("the copy after the rotation", 15_000, () => done.has("after"));
    assert.deepEqual(failures, []);
  });
});
