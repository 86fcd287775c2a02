import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { until } from "../../support/until";
import type { Running } from "./harness";
import { startManager } from "./harness";
import { follow, useLab } from "./lab";

describe("what is missing when the manager starts", () => {
  const lab = useLab();
  const readyz = async ({ manager }: Running) => {
    const response = await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`);
    return response.text();
  };
  const options = { healthProbeBindAddress: "127.0.0.1:0" };

  it("kubernetes-sigs/controller-runtime#2589: waits for a CRD, says so on /readyz, follows it when it comes, goes and comes again", async () => {
    const group = `${lab.namespace}.example.com`;
    const type = { group, version: "v1", plural: "gizmos", kind: "Gizmo", namespaced: true };
    const passes: string[] = [];
    const running = lab.start(follow(passes), { ...options, primaryType: type });
    const { manager, primary } = running;
    await until("the probes", 2_000, () => manager.ports.health);
    await until("the reason on /readyz", 5_000, async () =>
      /gizmos\..*not f.*\(is the CRD installed\?\)/.test(await readyz(running)),
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
    const gizmo = (name: string) => ({
      apiVersion: `${group}/v1`,
      kind: "Gizmo",
      metadata: { name, namespace: lab.namespace },
    });
    const install = () => lab.cp.client.json("POST", crds, crd);
    const make = (name: string) =>
      until(`${name} to be accepted`, 10_000, () => lab.admin.create(type, gizmo(name)).then(Boolean, () => false));
    await install();
    await make("first");
    await until("a pass over the first gizmo", 10_000, () => passes.includes("first"));
    assert.equal(await readyz(running), "ok");
    await lab.cp.client.request("DELETE", `${crds}/gizmos.${group}`);
    await until(
      "the CRD to be gone",
      20_000,
      async () => (await lab.cp.client.request("GET", `${crds}/gizmos.${group}`)).code === 404,
    );
    await install();
    await make("second");
    await until("a pass over the second gizmo", 15_000, () => passes.includes("second"));
    assert.deepEqual(
      primary.list().map((object) => object.metadata.name),
      ["second"],
    );
    await lab.cp.client.request("DELETE", `${crds}/gizmos.${group}`);
  }).timeout(60_000);

  it("kubeswift-io/kubeswift#460: without permission it stays alive, says so on /readyz and starts once it is given", async () => {
    const account = "unprivileged";
    const accounts = lab.path("serviceaccounts");
    await lab.cp.client.json("POST", accounts, { metadata: { name: account } });
    const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
    const { status } = await lab.cp.client.json<{ status: { token: string } }>(
      "POST",
      `${accounts}/${account}/token`,
      request,
    );
    const ca = readFileSync(join(lab.cp.pki, "ca.crt"), "utf8");
    const config = {
      server: lab.cp.url,
      tls: () => Promise.resolve(tls),
      authorization: () => Promise.resolve(`Bearer ${status.token}`),
    };
    const tls = { ca };
    const passes: string[] = [];
    const running = startManager(config, lab.namespace, follow(passes), options);
    const { manager, lines } = running;
    await until("the probes", 2_000, () => manager.ports.health);
    await until("the reason on /readyz", 5_000, async () =>
      /configmaps .*is forbidden: User "system:serviceaccount/.test(await readyz(running)),
    );
    const rbac = `/apis/rbac.authorization.k8s.io/v1/namespaces/${lab.namespace}`;
    const rules = [{ apiGroups: [""], resources: ["configmaps"], verbs: ["get", "list", "watch"] }];
    await lab.cp.client.json("POST", `${rbac}/roles`, { metadata: { name: account }, rules });
    await lab.cp.client.json("POST", `${rbac}/rolebindings`, {
      metadata: { name: account },
      roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: account },
      subjects: [{ kind: "ServiceAccount", name: account, namespace: lab.namespace }],
    });
    await lab.create("a");
    await until("a pass", 12_000, () => passes.includes("a"));
    assert.equal(await readyz(running), "ok");
    assert.ok(lines.filter((line) => line.level === "warn").length <= 2, "one line an outage");
  });
});
