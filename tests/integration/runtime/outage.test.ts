import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { newControlPlane } from "../../support/controlPlane";
import { until } from "../../support/until";
import { configMap, configMaps, secrets } from "./harness";
import type { ConfigMap, Running } from "./harness";
import { follow, useLab } from "./lab";

describe("an API server that goes away", () => {
  let own: Promise<ControlPlane> | undefined;
  const lab = useLab(() => (own ??= newControlPlane({ controllers: [] })));
  after(async () => (await own)?.stop());

  const options = { healthProbeBindAddress: "127.0.0.1:0" };
  const readyz = async ({ manager }: Running) =>
    (await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`)).text();
  const counted = async ({ manager }: Running, metric: string) => {
    const values = (await manager.metrics.getSingleMetric(metric)?.get())?.values ?? [];
    return (labels: Record<string, string>) =>
      values
        .filter((value) => Object.entries(labels).every(([name, text]) => value.labels[name] === text))
        .reduce((sum, { value }) => sum + value, 0);
  };

  it("kubernetes-client/javascript#447: by a crash is outlived; what was made, changed and deleted meanwhile is seen once", async () => {
    const passes: string[] = [];
    const running = lab.start(follow(passes), options);
    const { primary, lines } = running;
    await until("the cache to be complete", 10_000, () => primary.synced);
    await lab.create("stays", "goes");
    await until("two passes", 5_000, () => passes.length === 2);
    await lab.cp.kill("kube-apiserver");
    await until("the reason on /readyz", 5_000, async () =>
      /ECONNREFUSED|reset|closed|broke/.test(await readyz(running)),
    );
    await lab.cp.start("kube-apiserver");
    await lab.create("comes");
    await lab.admin.delete(configMaps, lab.key("goes"));
    await until("the new one to be seen, and the deleted one gone", 10_000, () => {
      return primary.get(lab.key("comes")) && !primary.get(lab.key("goes"));
    });
    await until("/readyz to be ok", 5_000, async () => (await readyz(running)) === "ok");
    assert.deepEqual(passes.sort(), ["comes", "goes", "goes", "stays"]);
    const told = lines.filter((line) => line.level === "warn");
    assert.ok(told.length <= 3, `${told.length} warnings: ${told.map((line) => String(line.cause)).join("; ")}`);
    // A list costs the server dearly: only where it has forgotten the point to go on from.
    const lists = (await counted(running, "reflector_lists_total"))({ resource: "configmaps" });
    const expired = (await counted(running, "reflector_watches_ended_total"))({ why: "expired" });
    assert.equal(lists, 1 + expired);
  }).timeout(60_000);

  it("kubernetes-client/java#1533: and forgets its history costs one list; DeletedFinalStateUnknown: what was replaced meanwhile is known by its UID", async () => {
    /** Every config map owns a secret of its name and value. */
    const running: Running = lab.start(
      async (key) => {
        const { manager, primary } = running;
        const owner = primary.get(key);
        if (!owner) return;
        const { uid = "", name } = owner.metadata;
        const ownerReferences = [{ apiVersion: "v1", kind: "ConfigMap", name, uid, controller: true }];
        const metadata = { name, namespace: key.namespace, ownerReferences };
        const body = { apiVersion: "v1", kind: "Secret", metadata, stringData: { value: owner.data?.value ?? "" } };
        await manager.client.apply(secrets, body, { fieldManager: "test", force: true });
      },
      {
        ...options,
        watches: (manager) => [{ store: manager.store(secrets), map: ({ metadata }) => [lab.key(metadata.name)] }],
      },
    );
    const secretOf = (name: string) => lab.admin.get<KubeObject>(secrets, lab.key(name)).catch(() => undefined);
    await until("the caches to be complete", 10_000, async () => (await readyz(running)) === "ok");
    await lab.admin.create(configMaps, configMap(lab.namespace, "replaced", { value: "old" }));
    await lab.create("kept");
    for (const name of ["replaced", "kept"]) await until(`the secret of ${name}`, 5_000, () => secretOf(name));
    lab.proxy.unreachable = true;
    lab.proxy.cut();
    await lab.admin.delete(configMaps, lab.key("replaced"));
    const young = await lab.admin.create<ConfigMap>(configMaps, configMap(lab.namespace, "replaced", { value: "new" }));
    await lab.admin.delete(secrets, lab.key("kept"));
    await compact(lab.cp, young.metadata.resourceVersion ?? "");
    await lab.cp.kill("kube-apiserver");
    await lab.cp.start("kube-apiserver");
    // So that every point the operator could go on from is gone.
    await lab.create("after");
    const before = (await counted(running, "reflector_lists_total"))({});
    lab.proxy.unreachable = false;

    await until("the deleted secret again", 30_000, () => secretOf("kept"));
    const owned = await until("the secret of the new owner", 20_000, async () => {
      const secret = await secretOf("replaced");
      return secret?.metadata.ownerReferences?.[0]?.uid === young.metadata.uid && secret;
    });
    assert.equal(owned.metadata.ownerReferences?.length, 1);
    assert.equal(running.primary.get(lab.key("replaced"))?.metadata.uid, young.metadata.uid);
    const lists = await counted(running, "reflector_lists_total");
    assert.equal(lists({}) - before, 2, "one list a kind");
  }).timeout(90_000);
});

/** Makes etcd forget everything before a revision. */
async function compact({ etcdPort }: ControlPlane, revision: string): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${etcdPort}/v3/kv/compaction`, {
    method: "POST",
    body: JSON.stringify({ revision, physical: true }),
  });
  assert.equal(response.status, 200, await response.text());
}
