import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { HttpClient, Transport, loadConfig } from "../../../operator/runtime";
import type { Key } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane, newControlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { until } from "../../support/until";
import { configMap, configMaps, startManager, stopManagers } from "./harness";

const follow = (passes: string[]) => (key: Key) => Promise.resolve(void passes.push(key.name));

describe("what is missing when the manager starts", () => {
  let cp: ControlPlane;
  let namespace: string;
  let admin: HttpClient;
  let transport: Transport;

  before(async function () {
    this.timeout(90_000);
    cp = await controlPlane();
    transport = new Transport({ config: await loadConfig({ kubeconfig: cp.kubeconfig }), userAgent: "test" });
    admin = new HttpClient(transport);
  });
  after(() => transport?.close());
  beforeEach(async () => {
    namespace = await newNamespace(cp);
  });
  afterEach(async () => {
    await stopManagers();
    await deleteNamespace(cp, namespace);
  });

  it("controller-runtime#2589: waits for a CRD, says so on /readyz, follows it when it comes, goes and comes again", async () => {
    const group = `${namespace}.example.com`;
    const type = { group, version: "v1", plural: "gizmos", kind: "Gizmo", namespaced: true };
    const passes: string[] = [];
    const options = { primaryType: type, healthProbeBindAddress: "127.0.0.1:0" };
    const { manager, primary } = startManager(
      await loadConfig({ kubeconfig: cp.kubeconfig }),
      namespace,
      follow(passes),
      options,
    );
    const readyz = async () => (await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`)).text();
    await until("the probes", 2_000, () => manager.ports.health);
    await until("the reason on /readyz", 5_000, async () =>
      /gizmos\..*not f.*\(is the CRD installed\?\)/.test(await readyz()),
    );
    assert.equal((await fetch(`http://127.0.0.1:${manager.ports.health}/healthz`)).status, 200);
    const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    const crd = {
      apiVersion: "apiextensions.k8s.io/v1",
      kind: "CustomResourceDefinition",
      metadata: { name: `gizmos.${group}` },
      spec: {
        group,
        scope: "Namespaced",
        names: { plural: "gizmos", singular: "gizmo", kind: "Gizmo", listKind: "GizmoList" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    };
    const gizmo = (name: string) => ({ apiVersion: `${group}/v1`, kind: "Gizmo", metadata: { name, namespace } });
    const install = () => cp.client.json("POST", crds, crd);
    const make = (name: string) =>
      until(`${name} to be accepted`, 10_000, () => admin.create(type, gizmo(name)).then(Boolean, () => false));
    await install();
    await make("first");
    await until("a pass over the first gizmo", 10_000, () => passes.includes("first"));
    assert.equal(await readyz(), "ok");
    await cp.client.request("DELETE", `${crds}/gizmos.${group}`);
    await until(
      "the CRD to be gone",
      20_000,
      async () => (await cp.client.request("GET", `${crds}/gizmos.${group}`)).code === 404,
    );
    await install();
    await make("second");
    await until("a pass over the second gizmo", 15_000, () => passes.includes("second"));
    assert.deepEqual(
      primary.list().map((object) => object.metadata.name),
      ["second"],
    );
    await cp.client.request("DELETE", `${crds}/gizmos.${group}`);
  }).timeout(60_000);

  it("kubeswift#460: without permission it stays alive, says so on /readyz and starts once it is given", async () => {
    const account = "unprivileged";
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await cp.client.json("POST", accounts, { metadata: { name: account } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const { status } = await cp.client.json<{ status: { token: string } }>(
      "POST",
      `${accounts}/${account}/token`,
      request,
    );
    const ca = readFileSync(join(cp.pki, "ca.crt"), "utf8");
    const config = {
      server: cp.url,
      tls: () => Promise.resolve(tls),
      authorization: () => Promise.resolve(`Bearer ${status.token}`),
    };
    const tls = { ca };
    const passes: string[] = [];
    const options = { healthProbeBindAddress: "127.0.0.1:0" };
    const { manager, lines } = startManager(config, namespace, follow(passes), options);
    await until("the probes", 2_000, () => manager.ports.health);
    const readyz = async () => (await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`)).text();
    await until("the reason on /readyz", 5_000, async () =>
      /configmaps .*is forbidden: User "system:serviceaccount/.test(await readyz()),
    );
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
    await cp.client.json("POST", `${rbac}/roles`, { metadata: { name: account }, rules });
    await cp.client.json("POST", `${rbac}/rolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
      subjects: [{ kind: "ServiceAccount", name: account, namespace }],
    });
    await admin.create(configMaps, configMap(namespace, "a"));
    await until("a pass", 12_000, () => passes.includes("a"));
    assert.equal(await readyz(), "ok");
    assert.ok(lines.filter((line) => line.level === "warn").length <= 2, "one line an outage");
  });
});

describe("an API server that dies", () => {
  let cp: ControlPlane;
  before(async function () {
    this.timeout(90_000);
    cp = await newControlPlane([]);
  });
  after(async () => {
    await stopManagers();
    await cp.stop();
  });

  it("javascript#447: is survived; what was made, changed and deleted meanwhile is seen once", async () => {
    const passes: string[] = [];
    const namespace = "default";
    const config = await loadConfig({ kubeconfig: cp.kubeconfig });
    const options = { healthProbeBindAddress: "127.0.0.1:0" };
    const running = startManager(config, namespace, (key) => Promise.resolve(void passes.push(key.name)), options);
    const { primary, manager, lines } = running;
    await until("the cache to be complete", 10_000, () => primary.synced);
    for (const name of ["stays", "goes"])
      await cp.client.json("POST", `/api/v1/namespaces/${namespace}/configmaps`, configMap(namespace, name));
    await until("two passes", 5_000, () => passes.length === 2);
    await cp.kill("kube-apiserver");
    const readyz = async () => (await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`)).text();
    await until("the reason on /readyz", 5_000, async () => /ECONNREFUSED|reset|closed|broke/.test(await readyz()));
    await cp.start("kube-apiserver");
    const path = `/api/v1/namespaces/${namespace}/configmaps`;
    await cp.client.json("POST", path, configMap(namespace, "comes"));
    await cp.client.json("DELETE", `${path}/goes`);
    await until("the new one to be seen, and the deleted one gone", 10_000, () => {
      return primary.get({ namespace, name: "comes" }) && !primary.get({ namespace, name: "goes" });
    });
    await until("/readyz to be ok", 5_000, async () => (await readyz()) === "ok");
    assert.deepEqual(passes.sort(), ["comes", "goes", "goes", "stays"]);
    const told = lines.filter((line) => line.level === "warn");
    assert.ok(told.length <= 3, `${told.length} warnings: ${told.map((line) => String(line.cause)).join("; ")}`);
  }).timeout(60_000);
});
