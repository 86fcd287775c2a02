import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:http2";
import { Agent } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writePki } from "../../../cluster/pki";
import type { Config, ManagerOptions } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { until } from "../../support/until";
import { FaultProxy } from "./faultProxy";
import { startManager, stopManagers } from "./harness";
import { scrape, scrapeHttp2 } from "./scraper";

const rbac = "/apis/rbac.authorization.k8s.io/v1";
const reviewsAsked = (proxy: FaultProxy) => proxy.count(({ path }) => /reviews$/.test(path));

describe("secure metrics before a real API server", () => {
  let cp: ControlPlane;
  let proxy: FaultProxy;
  let namespace: string;
  /** Tokens of an account that may read metrics, and of one that has no rights. */
  let reader: string;
  let stranger: string;
  const made: string[] = [];

  const account = async (name: string): Promise<string> => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await cp.client.json("POST", path, { apiVersion: "v1", kind: "ServiceAccount", metadata: { name } });
    return token(name);
  };
  const token = async (name: string): Promise<string> => {
    const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${name}/token`;
    const body = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    return (await cp.client.json<{ status: { token: string } }>("POST", path, body)).status.token;
  };
  /** Binds a role of these rules to an account; both go after the tests. */
  const grant = async (name: string, rules: object[]): Promise<void> => {
    const metadata = { name: `${namespace}-${name}` };
    const role = { apiVersion: "rbac.authorization.k8s.io/v1", kind: "ClusterRole", metadata, rules };
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: metadata.name };
    const subjects = [{ kind: "ServiceAccount", name, namespace }];
    await cp.client.json("POST", `${rbac}/clusterroles`, role);
    made.push(`${rbac}/clusterroles/${metadata.name}`);
    const binding = { ...role, kind: "ClusterRoleBinding", rules: undefined, roleRef, subjects };
    await cp.client.json("POST", `${rbac}/clusterrolebindings`, binding);
    made.push(`${rbac}/clusterrolebindings/${metadata.name}`);
  };
  const start = async (metrics: Partial<ManagerOptions["metrics"]> = {}, config: Config = proxy.config) => {
    const options = { metrics: { bindAddress: "127.0.0.1:0", secure: true, ...metrics } };
    const running = startManager(config, namespace, () => Promise.resolve(), options);
    await until("the metrics server", 5_000, () => running.manager.ports.metrics);
    return { ...running, port: running.manager.ports.metrics };
  };
  /** Reaches the API server as a service account. */
  const as = (bearer: string): Config => ({
    server: cp.url,
    tls: () => Promise.resolve({ ca: readFileSync(join(cp.pki, "ca.crt"), "utf8") }),
    authorization: () => Promise.resolve(`Bearer ${bearer}`),
  });

  before(async function () {
    this.timeout(90_000);
    cp = await controlPlane();
    namespace = await newNamespace(cp);
    [reader, stranger] = [await account("reader"), await account("stranger")];
    await grant("reader", [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }]);
  });
  after(async () => {
    for (const path of made.reverse()) await cp.client.request("DELETE", path);
    await deleteNamespace(cp, namespace);
  });
  beforeEach(async () => (proxy = await FaultProxy.start(cp)));
  afterEach(async () => {
    await stopManagers();
    await proxy.stop();
  });

  it("are there for a token with the reader's role, not without the right (403), nor without a good token (401)", async () => {
    const { port, lines } = await start();
    const served = await until("the reader's role to be in force", 5_000, async () => {
      const answer = await scrape(port, { token: reader });
      return answer.status === 200 && answer;
    });
    assert.match(served.text, /controller_runtime_reconcile_total\{controller="test",result="success"\} \d+\n/);
    assert.match(served.text, /rest_client_request_size_bytes_count\{verb="POST",host="[^"]+"\} [1-9]/);
    assert.match(served.text, /rest_client_response_size_bytes_sum\{verb="POST",host="[^"]+"\} [1-9]\d\d/);
    const forbidden = await scrape(port, { token: stranger });
    assert.equal(forbidden.status, 403);
    assert.match(forbidden.text, new RegExp(`system:serviceaccount:${namespace}:stranger may not get /metrics`));
    const forged = `${reader.slice(0, -8)}AAAAAAAA`;
    for (const options of [
      {},
      { token: "nonsense" },
      { token: forged },
      { authorization: "Basic YTpi" },
      { authorization: reader },
    ]) {
      assert.equal((await scrape(port, options)).status, 401, JSON.stringify(options).slice(0, 40));
    }
    assert.equal((await scrape(port, { token: reader, method: "POST" })).status, 405);
    assert.equal((await scrape(port, { token: reader, path: "/metrics/../healthz" })).status, 404);
    assert.equal((await scrape(port, { token: reader, path: "/debug" })).status, 404);
    assert.equal((await scrape(port, { token: reader, path: "/metrics?x=1" })).status, 200);
    assert.equal((await scrape(port, { token: reader, method: "HEAD" })).text, "");
    const logged = JSON.stringify(lines);
    for (const secret of [reader, stranger, forged]) assert.ok(!logged.includes(secret), "a token in the log");
  });

  it("ask the API server once for many scrapes", async () => {
    const { port } = await start();
    await until("the first scrape", 5_000, async () => (await scrape(port, { token: reader })).status === 200);
    const asked = reviewsAsked(proxy);
    const answers = await Promise.all(Array.from({ length: 30 }, () => scrape(port, { token: reader })));
    assert.ok(answers.every(({ status }) => status === 200));
    for (let n = 0; n < 10; n++) await scrape(port, { token: "nonsense" });
    assert.equal(reviewsAsked(proxy), asked + 1);
  });

  it("need no more rights than the metrics-auth role gives, and say in the log which are missing", async () => {
    const operator = await account("operator");
    const { port, lines } = await start({}, as(operator));
    const answer = await scrape(port, { token: reader });
    assert.equal(answer.status, 500);
    assert.match(answer.text, /the log says which/);
    const told = lines.find(({ cause }) => /tokenreviews/.test(String(cause)));
    assert.match(String(told?.cause), /cannot create resource "tokenreviews".*: let this program's account create/);
    await grant("operator", [
      { apiGroups: ["authentication.k8s.io"], resources: ["tokenreviews"], verbs: ["create"] },
      { apiGroups: ["authorization.k8s.io"], resources: ["subjectaccessreviews"], verbs: ["create"] },
    ]);
    await until("the rights to be in force", 5_000, async () => (await scrape(port, { token: reader })).status === 200);
    assert.ok(lines.some(({ msg }) => /who callers are works again/.test(msg)));
  });

  it("answer 503 while the API server is down, known readers excepted, and recover with it", async () => {
    const { port, lines } = await start();
    await until("the first scrape", 5_000, async () => (await scrape(port, { token: reader })).status === 200);
    proxy.unreachable = true;
    proxy.cut();
    const other = await token("reader");
    const refused = await scrape(port, { token: other });
    assert.deepEqual([refused.status, refused.text.includes("just now")], [503, true]);
    assert.equal((await scrape(port, { token: reader })).status, 200, "the verdict of a moment ago holds");
    assert.equal((await scrape(port)).status, 401);
    assert.ok(lines.some(({ level, msg }) => level === "warn" && /who callers are failed/.test(msg)));
    proxy.unreachable = false;
    await until("the answer", 5_000, async () => (await scrape(port, { token: other })).status === 200);
  });

  it("do not wait for the lease: a standby, whose writes are fenced, serves them too", async () => {
    const leaderElection = { id: "taken", namespace, identity: "second" };
    const spec = {
      holderIdentity: "first",
      leaseDurationSeconds: 60,
      renewTime: new Date().toISOString().replace("Z", "000Z"),
    };
    const lease = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: "taken" }, spec };
    await cp.client.json("POST", `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`, lease);
    const metrics = { bindAddress: "127.0.0.1:0", secure: true };
    const { manager } = startManager(proxy.config, namespace, () => Promise.resolve(), { leaderElection, metrics });
    await until("the metrics server", 5_000, () => manager.ports.metrics);
    const { status, text } = await scrape(manager.ports.metrics, { token: reader });
    assert.equal(status, 200);
    assert.match(text, /leader_election_master_status\{name="taken"\} 0/);
  });

  it("speak HTTP/1.1 alone, and HTTP/2 as well when asked to, with the same answers", async () => {
    const { port } = await start();
    await assert.rejects(scrapeHttp2(port, { token: reader }));
    const { port: both } = await start({ http2: true });
    for (const get of [scrape, scrapeHttp2]) {
      assert.equal((await get(both, { token: reader })).status, 200);
      assert.match((await get(both, { token: reader })).text, /workqueue_depth/);
      assert.equal((await get(both, { token: stranger })).status, 403);
      assert.equal((await get(both)).status, 401);
      assert.equal((await get(both, { method: "POST" })).status, 405);
    }
  });

  it("answer before Prometheus gives up when the API server says nothing, and hold no exit up by connections kept open", async () => {
    const { port, stop } = await start({ http2: true });
    proxy.fault = () => "hang";
    const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }).on("error", () => undefined);
    await once(session, "connect");
    const agent = new Agent({ keepAlive: true });
    const begun = performance.now();
    assert.equal((await scrape(port, { token: reader, agent })).status, 503);
    assert.ok(performance.now() - begun < 8_000);
    const stopping = performance.now();
    await stop();
    assert.ok(performance.now() - stopping < 2_000);
    agent.destroy();
  });

  describe("with a certificate of one's own", () => {
    let dir: string;
    let cas: Record<string, string>;
    before(async () => {
      dir = mkdtempSync(join(tmpdir(), "metrics-cert-"));
      cas = {};
      for (const name of ["one", "two"]) {
        await writePki(join(dir, name), [{ file: "tls", commonName: name, names: ["localhost"] }]);
        cas[name] = readFileSync(join(dir, name, "ca.crt"), "utf8");
      }
      await writePki(join(dir, "broken"), [{ file: "tls", commonName: "broken" }]);
      renameSync(join(dir, "two", "tls.key"), join(dir, "two", "own.key"));
      renameSync(join(dir, "broken", "tls.key"), join(dir, "two", "tls.key"));
    });
    after(() => rmSync(dir, { recursive: true }));
    const mount = (name: string) => {
      symlinkSync(name, join(dir, "..new"));
      renameSync(join(dir, "..new"), join(dir, "..data"));
    };

    it("serve it, keep it while its successor is broken, and take that when it is whole, without a refused scrape", async () => {
      mount("one");
      const certificates = { path: join(dir, "..data") };
      const { port, lines } = await start({ certificates, certificateEveryMs: 20 });
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const verified = (ca: string | undefined) => scrape(port, { token: reader, ca });
      assert.equal((await verified(cas.one)).servedBy, "one");
      assert.equal((await scrape(port, { token: reader, agent })).servedBy, "one");
      mount("two");
      await until("the log", 5_000, () => lines.some(({ cause }) => /tls\.key is not the key of/.test(String(cause))));
      assert.equal((await verified(cas.one)).servedBy, "one");
      renameSync(join(dir, "two", "own.key"), join(dir, "two", "tls.key"));
      await until("the new one", 5_000, async () => (await scrape(port, { token: reader })).servedBy === "two");
      assert.deepEqual([(await verified(cas.two)).status, (await verified(cas.two)).servedBy], [200, "two"]);
      await assert.rejects(verified(cas.one));
      assert.equal((await scrape(port, { token: reader, agent })).status, 200, "a connection kept from before");
      agent.destroy();
    });
  });
});
