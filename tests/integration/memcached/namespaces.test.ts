import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePorts } from "../../../cluster/ports";
import { managerRules } from "../../../components/manifests/rules";
import { bundleOperator } from "../../../build/bundleOperator";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { until } from "../../support/until";
import { serverWithCrd, type Server } from "../api/server";
import { accountKubeconfig, Operator, probe } from "./process";

const account = "operator";

describe("an operator of several namespaces", function () {
  this.timeout(90_000);
  let server: Server;
  let folder: string;
  let kubeconfig: string;
  const namespaces: string[] = [];
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "memcached-operator-namespaces-"));
    [server] = await Promise.all([serverWithCrd(), bundleOperator(folder)]);
    for (let i = 0; i < 3; i++) namespaces.push(await newNamespace(server));
    // The server's own namespace is the operator's.
    const accounts = `/api/v1/namespaces/${server.namespace}/serviceaccounts`;
    await server.client.json("POST", accounts, { metadata: { name: account } });
    kubeconfig = await accountKubeconfig(server, `${accounts}/${account}`, folder);
  });
  after(async () => {
    await Promise.all([server.namespace, ...namespaces].map((name) => deleteNamespace(server, name)));
    rmSync(folder, { recursive: true, force: true });
  });

  const rbac = (namespace: string, plural: string) =>
    `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}/${plural}/${account}`;
  /** What the package makes for each of `watchNamespaces`. */
  async function give(namespace: string): Promise<void> {
    const kinds = { apiVersion: "rbac.authorization.k8s.io/v1", metadata: { name: account } };
    await server.client.apply(rbac(namespace, "roles"), { ...kinds, kind: "Role", rules: managerRules });
    await server.client.apply(rbac(namespace, "rolebindings"), {
      ...kinds,
      kind: "RoleBinding",
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: server.namespace }],
    });
  }
  const create = (namespace: string, name: string) =>
    server.client.json("POST", `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`, {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { name },
      spec: { size: 1 },
    });
  const exists = async (path: string) => (await server.client.request("GET", path)).code === 200;
  const isMade = (namespace: string, name: string, withinMs: number) =>
    until(`a Deployment ${name} in ${namespace}`, withinMs, () =>
      exists(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}`),
    );

  async function start() {
    const [health, metrics] = await freePorts(2);
    const flags = [
      `--kubeconfig=${kubeconfig}`,
      `--watch-namespaces=${namespaces.join(",")}`,
      `--health-probe-bind-address=127.0.0.1:${health}`,
      `--metrics-bind-address=127.0.0.1:${metrics}`,
      "--metrics-secure=false",
    ];
    const operator = new Operator(folder, flags, {});
    await until("/readyz to be 200", 20_000, async () => (await probe(health, "/readyz")).code === 200);
    return { operator, health, metrics };
  }

  it("operator-framework/java-operator-sdk#1405, elastic/cloud-on-k8s#7586: goes on without those that are gone or closed, and starts in them once it may", async () => {
    const [kept = "", deleted = "", closed = ""] = namespaces;
    for (const namespace of namespaces) await give(namespace);
    const first = await start();
    try {
      for (const namespace of namespaces) await create(namespace, "before");
      for (const namespace of namespaces) await isMade(namespace, "before", 45_000);
      await deleteNamespace(server, deleted);
      await server.client.request("DELETE", rbac(closed, "rolebindings"));
      await until("the namespace to be gone", 30_000, async () => !(await exists(`/api/v1/namespaces/${deleted}`)));
    } finally {
      assert.equal(await first.operator.end("SIGTERM"), 0, first.operator.output);
    }

    const { operator, health, metrics } = await start();
    try {
      await create(kept, "after");
      await isMade(kept, "after", 10_000);
      for (const lost of [deleted, closed]) {
        const named = new RegExp(`\\[\\+\\]caches ok, but .*pods in namespace ${lost}: pods is forbidden`);
        await until("/readyz to be 200 and to name the namespace", 5_000, async () => {
          const { code, text } = await probe(health, "/readyz?verbose");
          return code === 200 && named.test(text);
        });
        const told = operator.output.split("\n").filter((line) => line.includes(lost) && line.includes('"warn"'));
        assert.equal(told.length, 1, operator.output);
        assert.match(told[0] ?? "", new RegExp(`is forbidden.*Watching namespace ${lost} failed`));
        const values = (await probe(metrics, "/metrics")).text;
        assert.match(values, new RegExp(`reflector_up\\{resource="pods",namespace="${lost}"\\} 0\n`));
        assert.match(values, new RegExp(`reflector_up\\{resource="pods",namespace="${kept}"\\} 1\n`));
      }
      await create(closed, "meanwhile");
      await server.client.json("POST", "/api/v1/namespaces", { metadata: { name: deleted } });
      await create(deleted, "meanwhile");
      await Promise.all(
        [deleted, closed].map(async (namespace) => {
          await give(namespace);
          await isMade(namespace, "meanwhile", 10_000);
        }),
      );
      await until("nothing to be missing", 10_000, async () =>
        /\[\+\]caches ok$/m.test((await probe(health, "/readyz?verbose")).text),
      );
    } finally {
      assert.equal(await operator.end("SIGTERM"), 0, operator.output);
    }
  });
});
