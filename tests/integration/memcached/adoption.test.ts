import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab, brief } from "./lab";

type Kept = KubeObject & { spec?: unknown; status?: unknown };

/** The kinds of children and of what is below them, in the order in which Velero restores them. */
const kinds = [
  ["core", "pods"],
  ["apps", "replicasets"],
  ["apps", "controllerrevisions"],
  ["apps", "deployments"],
  ["core", "services"],
  ["apps", "statefulsets"],
] as const;

describe("children that no one controls", function () {
  this.timeout(90_000);
  let lab: Lab;
  let restored: Lab;
  before(async () => {
    lab = await Lab.open();
    restored = await Lab.open();
  });
  after(() => Promise.all([lab.stop(), restored.stop()]));

  const uidsOfPods = async (of: Lab, name: string) => (await of.pods(name)).map(({ metadata }) => metadata.uid).sort();

  /** The API server has merged matchLabelKeys into the pods' selectors, and takes no pod that has both. */
  const withoutMergedKeys = (key: string, value: unknown) => (key === "matchLabelKeys" ? undefined : value);

  /** What a backup keeps of the objects of a Memcached: names, labels, annotations and spec. */
  const backup = async (name: string): Promise<[collection: string, object: KubeObject][]> => {
    const all: [string, KubeObject][] = [];
    for (const [group, resource] of kinds) {
      const { items } = await lab.server.client.json<{ items: Kept[] }>(
        "GET",
        `${lab[group](resource)}?labelSelector=${encodeURIComponent(`app.kubernetes.io/instance=${name}`)}`,
      );
      for (const { metadata, ...rest } of items) {
        const labels = { ...metadata.labels, "velero.io/restore-name": "yesterday" };
        const kept = { name: metadata.name, labels, annotations: metadata.annotations };
        const typed = { apiVersion: group === "core" ? "v1" : "apps/v1", kind: kindOf(resource) };
        const object = { ...rest, ...typed, metadata: kept, status: undefined };
        const whole =
          resource === "pods" ? (JSON.parse(JSON.stringify(object, withoutMergedKeys)) as KubeObject) : object;
        all.push([restored[group](resource), whole]);
      }
    }
    return all;
  };
  const kindOf = (resource: string) =>
    ({ pods: "Pod", replicasets: "ReplicaSet", controllerrevisions: "ControllerRevision" })[resource] ??
    { deployments: "Deployment", services: "Service" }[resource] ??
    "StatefulSet";

  const restore = async (name: string) => {
    for (const [collection, object] of await backup(name))
      await restored.server.client.json("POST", collection, object);
    await restored.makeReady(name, 2);
  };

  for (const workload of ["Deployment", "StatefulSet"] as const)
    it(`velero-io/velero#4707: a ${workload} and its Service are adopted after a restore, and no pod is replaced`, async () => {
      const name = `kept-${workload.toLowerCase()}`;
      await lab.create(name, { size: 2, workload });
      await lab.becomesReady(name, 2);
      await restore(name);
      const pods = await uidsOfPods(restored, name);
      const child = restored.apps(`${workload.toLowerCase()}s`, name);
      const before = (await restored.get<Kept>(child))!;
      assert.deepEqual(
        brief(restored.requests()).filter((line) => line.endsWith(`/${name}`)),
        [],
      );

      const { metadata } = await restored.create(name, { size: 2, workload });
      const owned = async (path: string) => (await restored.get(path))?.metadata.ownerReferences ?? [];
      await until("both children to be owned", 15_000, async () => {
        const owners = await Promise.all([child, restored.core("services", name)].map(owned));
        return owners.every(([owner, ...more]) => owner?.controller && owner.uid === metadata.uid && more.length === 0);
      });
      await restored.awaitCondition(name, "Ready", "True");
      assert.deepEqual(await uidsOfPods(restored, name), pods);
      const after = (await restored.get<Kept>(child))!;
      assert.deepEqual([after.metadata.uid, after.spec], [before.metadata.uid, before.spec]);
      assert.equal((await restored.status(name)).nodes?.length, 2);
    });

  it("one that lacks a mark, or belongs to someone, is left alone; a reference that controls nothing stays", async () => {
    await lab.create("marks", { size: 0 });
    await lab.awaitCondition("marks", "Ready", "True");
    const { metadata: owner } = await restored.server.client.json<KubeObject>("POST", restored.core("configmaps"), {
      ...{ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "owner" } },
    });
    const reference = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: owner.uid };
    const service = (await backup("marks")).find(([, { kind }]) => kind === "Service")![1];
    const { labels = {}, annotations = {} } = service.metadata;
    const without = (record: Record<string, string>, key: string) =>
      Object.fromEntries(Object.entries(record).filter(([each]) => each !== key));
    const strange: Record<string, object> = {
      "no-manager": { labels: { ...without(labels, "app.kubernetes.io/managed-by") } },
      "no-instance": { labels: without(labels, "app.kubernetes.io/instance") },
      "other-instance": { labels: { ...labels, "app.kubernetes.io/instance": "other" } },
      "no-hash": { annotations: without(annotations, "cache.example.com/applied-hash") },
      controlled: { ownerReferences: [{ ...reference, controller: true }] },
    };
    const metadataOf = (name: string, changes: object) => ({
      ...{ name, labels: { ...labels, "app.kubernetes.io/instance": name }, annotations, ...changes },
    });
    for (const [name, changes] of Object.entries(strange)) {
      const body = { ...service, metadata: metadataOf(name, changes) };
      const { metadata } = await restored.server.client.json<KubeObject>("POST", restored.core("services"), body);
      await restored.create(name, { size: 0 });
      await restored.awaitCondition(name, "Degraded", "True", "ResourceConflict");
      const after = await restored.get(restored.core("services", name));
      assert.equal(after?.metadata.resourceVersion, metadata.resourceVersion, name);
    }
    const shared = { ...service, metadata: metadataOf("shared", { ownerReferences: [reference] }) };
    await restored.server.client.json("POST", restored.core("services"), shared);
    const { metadata } = await restored.create("shared", { size: 0 });
    await restored.awaitCondition("shared", "Ready", "True");
    const { ownerReferences = [] } = (await restored.get(restored.core("services", "shared")))!.metadata;
    assert.deepEqual(ownerReferences.map(({ uid }) => uid).sort(), [owner.uid, metadata.uid].sort());
  });
});
