import assert from "node:assert/strict";
import type { Memcached, MemcachedSpec } from "../../../api";
import { ApiError, type KubeObject } from "../../../operator/runtime";
import { memcached, pod } from "./fixtures";
import { type FakeStore, World } from "./world";

const key = { namespace: "shop", name: "cache" };

/** What the controller of a Deployment or StatefulSet says of three servers that are up. */
const up = { observedGeneration: 9, replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };

function setStatus(store: FakeStore, status: object): void {
  store.put({ ...(store.get(key) as KubeObject), status } as KubeObject);
}

async function passes(world: World): Promise<string[]> {
  await world.pass();
  world.now += 1_000;
  await world.pass();
  return world.take();
}

async function running(spec: MemcachedSpec): Promise<World> {
  const world = new World();
  world.memcacheds.put(memcached({ size: 3, ...spec }) as KubeObject);
  await passes(world);
  setStatus(spec.workload === "StatefulSet" ? world.statefulSets : world.deployments, up);
  await passes(world);
  return world;
}

async function changed(world: World, spec: MemcachedSpec, generation = 2): Promise<string[]> {
  const { status, metadata } = world.memcacheds.get(key) as Memcached;
  const resource = memcached({ size: 3, ...spec }, { status, metadata: { ...metadata, generation } });
  world.memcacheds.put(resource as KubeObject);
  return passes(world);
}

const statusOf = (world: World) => (world.memcacheds.get(key) as Memcached).status;

describe("a change of spec.workload", () => {
  it("makes the new one first, and deletes the old one, that very object, once the new one is available", async () => {
    const world = await running({});
    const uid = world.deployments.get(key)?.metadata.uid;
    assert.deepEqual(await changed(world, { workload: "StatefulSet" }), ["create StatefulSet", "status"]);
    assert.equal(world.status[0], "Available=True Reconciling");
    assert.equal(world.status[3], "Ready=False RollingOut");
    assert.deepEqual(
      statusOf(world)?.servers,
      ["cache.shop.svc.cluster.local:11211"],
      "the Deployment's servers serve",
    );
    setStatus(world.statefulSets, { ...up, readyReplicas: 2, availableReplicas: 2 });
    assert.ok(!(await passes(world)).some((call) => call.startsWith("delete")));
    setStatus(world.statefulSets, up);
    const leaving = pod("cache-x", "rs-1");
    world.pods.put(leaving);
    world.normalEvents.length = 0;
    assert.deepEqual(await passes(world), [`delete Deployment ${uid}`, "status"]);
    assert.deepEqual(world.normalEvents, ["SuccessfulDelete: Deleted Deployment cache, replaced by the StatefulSet"]);
    assert.deepEqual(world.status, [
      "Available=True Reconciling",
      "Progressing=False RolloutComplete",
      "Degraded=False AsExpected",
      "Ready=True ServersReady",
    ]);
    assert.deepEqual(
      statusOf(world)?.servers,
      [0, 1, 2].map((i) => `cache-${i}.cache.shop.svc.cluster.local:11211`),
    );
    assert.deepEqual(await passes(world), []);
    world.pods.objects.clear();
    const publishing = ["own by apply Service", "apply by force Service"];
    assert.deepEqual(await passes(world), publishing, "the last server of the Deployment has ended");
    assert.deepEqual(await passes(world), [], "and then nothing");
  });

  it("goes back the same way, also half-way through", async () => {
    const world = await running({ workload: "StatefulSet" });
    const half = await changed(world, { workload: "Deployment" });
    assert.deepEqual(half, ["create Deployment", "own by apply Service", "apply by force Service", "status"]);
    const uid = world.deployments.get(key)?.metadata.uid;
    assert.deepEqual(await changed(world, { workload: "StatefulSet" }, 3), [
      `delete Deployment ${uid}`,
      "status",
      "apply by force Service",
    ]);
    assert.equal(world.status[3], "Ready=True ServersReady");
    assert.deepEqual(await changed(world, { workload: "Deployment" }, 4), [
      "create Deployment",
      "apply by force Service",
      "status",
    ]);
  });

  it("goes on where an earlier resource of its name was left by all its children", async () => {
    const world = await running({});
    await changed(world, { workload: "StatefulSet" });
    for (const store of [world.deployments, world.statefulSets, world.services]) {
      const { metadata, ...rest } = store.get(key) as KubeObject;
      store.put({ ...rest, metadata: { ...metadata, ownerReferences: [] } });
    }
    const left = world.deployments.get(key)?.metadata.uid;
    const metadata = { ...memcached().metadata, uid: "uid-2", generation: 1 };
    world.memcacheds.put(memcached({ size: 3, workload: "StatefulSet" }, { metadata }) as KubeObject);
    assert.deepEqual(await passes(world), ["get", "get"], "it may be its deletion that lets them go");
    world.atServer = world.memcacheds.get(key);
    const adopted = (await passes(world)).filter((call) => !call.startsWith("own by apply"));
    assert.match(adopted[1] ?? "", new RegExp(`^patch Deployment {"metadata":{"uid":"${left}".*"uid":"uid-2"`));
    const applied = ["apply by force StatefulSet", "apply by force Service"];
    assert.deepEqual([adopted[0], ...adopted.slice(2)], ["get", ...applied, "status"]);
    setStatus(world.statefulSets, up);
    assert.ok((await passes(world)).includes(`delete Deployment ${left}`));
  });

  it("leaves the old one while the new one is refused, and says why", async () => {
    const world = await running({});
    world.refusals.set("StatefulSet", new ApiError(403, "Forbidden", "exceeded quota: q"));
    await changed(world, { workload: "StatefulSet" });
    assert.ok(world.deployments.get(key));
    assert.deepEqual(world.status.slice(0, 3), [
      "Available=True Reconciling",
      "Progressing=False QuotaExceeded",
      "Degraded=True QuotaExceeded",
    ]);
  });

  it("says why the old one cannot be deleted, and backs off", async () => {
    const world = await running({});
    world.refusals.set(
      "delete Deployment",
      new ApiError(403, "Forbidden", 'admission webhook "w" denied the request: no'),
    );
    await changed(world, { workload: "StatefulSet" });
    setStatus(world.statefulSets, up);
    await world.pass();
    assert.deepEqual(
      world.take().map((call) => call.split(" ")[0]),
      ["delete", "status"],
    );
    assert.equal(world.status[2], "Degraded=True AdmissionDenied");
    await world.pass();
    assert.deepEqual(world.take(), []);
    world.refusals.clear();
    world.now += 1_000;
    await world.pass();
    assert.equal(world.status[3], "Ready=True ServersReady");
  });

  it("leaves a workload of the other kind alone that is not its own", async () => {
    const world = await running({});
    world.statefulSets.put({ apiVersion: "apps/v1", kind: "StatefulSet", metadata: { ...key, uid: "theirs" } });
    assert.deepEqual(await passes(world), []);
    assert.equal(world.status[3], "Ready=True ServersReady");
  });
});

describe("a change of spec.service.type", () => {
  it("makes the Service anew where the API server would refuse the change, as that very object", async () => {
    const world = await running({});
    const uid = world.services.get(key)?.metadata.uid;
    const calls = await changed(world, { service: { type: "LoadBalancer" } });
    assert.deepEqual(calls.slice(0, 2), [`delete Service ${uid}`, "create Service"]);
    assert.deepEqual(await passes(world), []);
    const inPlace = await changed(world, { service: { type: "NodePort" } }, 3);
    assert.ok(inPlace.includes("apply by force Service") && !inPlace.some((call) => call.startsWith("delete")));
  });
});

describe("status.servers", () => {
  it("is empty while the Service is not ours, for its name leads elsewhere", async () => {
    const world = new World();
    world.services.put({ apiVersion: "v1", kind: "Service", metadata: { ...key, uid: "theirs" } });
    world.memcacheds.put(memcached({ size: 3 }) as KubeObject);
    await passes(world);
    assert.equal(world.status[2], "Degraded=True ResourceConflict");
    assert.deepEqual(statusOf(world)?.servers, []);
    world.services.objects.clear();
    world.atServer = world.memcacheds.get(key);
    await passes(world);
    assert.deepEqual(statusOf(world)?.servers, ["cache.shop.svc.cluster.local:11211"]);
  });
});
