import assert from "node:assert/strict";
import type { Memcached, MemcachedSpec } from "../../../api";
import { ApiError, type KubeObject, TransportError } from "../../../operator/runtime";
import { memcached } from "./fixtures";
import { World } from "./world";

const key = { namespace: "shop", name: "cache" };

describe("a pass over a Memcached", () => {
  const created = async (resource: Memcached = memcached()) => {
    const world = new World();
    world.memcacheds.put(resource as KubeObject);
    await world.pass();
    world.now += 1_000;
    await world.pass();
    world.take();
    return world;
  };

  it("creates each child and writes one status a second later, and then nothing", async () => {
    const world = new World();
    world.memcacheds.put(memcached() as KubeObject);
    assert.deepEqual(await world.pass(), { requeueAfterMs: 1_000 });
    assert.deepEqual(world.take(), ["create Deployment", "create Service"]);
    world.now += 1_000;
    await world.pass();
    assert.deepEqual(world.take(), ["status"]);
    await world.pass();
    assert.deepEqual(world.take(), []);
    assert.deepEqual(world.events, []);
  });

  it("takes back by force only what is known to be its own, as that very object", async () => {
    const world = await created();
    const live = world.deployments.get({ namespace: "shop", name: "cache" }) as KubeObject;
    world.deployments.put({ ...live, metadata: { ...live.metadata, generation: 2 }, spec: {} } as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), ["apply by force Deployment"]);
    assert.equal(world.deployments.get({ namespace: "shop", name: "cache" })?.metadata.uid, live.metadata.uid);
    const metadata = { ...memcached().metadata, generation: 2 };
    world.memcacheds.put(memcached({ threads: 8 }, { metadata }) as KubeObject);
    await world.pass();
    const applied = ["own by apply Deployment", "apply by force Deployment"];
    assert.deepEqual(world.take(), applied, "a body that may have dropped fields");
  });

  it("resizes by the number of replicas alone, as that very object", async () => {
    const world = await created();
    world.memcacheds.put(
      memcached({ size: 4 }, { metadata: { ...memcached().metadata, generation: 2 } }) as KubeObject,
    );
    await world.pass();
    assert.deepEqual(world.take(), [
      'patch Deployment {"metadata":{"uid":"uid-of-child-1"},"spec":{"replicas":4}}',
      "create PodDisruptionBudget",
    ]);
    await world.pass();
    assert.deepEqual(world.take(), []);
  });

  it("writes the other child and says what is wrong when one is refused, then backs off", async () => {
    const world = new World();
    world.memcacheds.put(memcached() as KubeObject);
    world.refusals.set("Deployment", new ApiError(403, "Forbidden", "exceeded quota: q"));
    const { requeueAfterMs = 0 } = (await world.pass()) ?? {};
    assert.deepEqual(world.take(), ["create Deployment", "create Service", "status"]);
    assert.deepEqual(world.status, [
      "Available=False Reconciling",
      "Progressing=False QuotaExceeded",
      "Degraded=True QuotaExceeded",
      "Ready=False QuotaExceeded",
    ]);
    assert.deepEqual(world.events, ["Warning QuotaExceeded"]);
    assert.ok(requeueAfterMs >= 750 && requeueAfterMs <= 1000);
    await world.pass();
    assert.deepEqual(world.take(), [], "a pass for another reason must not try again");
    world.now += 1_000;
    world.refusals.clear();
    await world.pass();
    assert.deepEqual(world.take(), ["create Deployment", "status"]);
    assert.equal(world.status[2], "Degraded=False AsExpected");
  });

  it("says nothing about a generation that could not be sent, and fails to be tried again", async () => {
    const world = await created();
    world.memcacheds.put({
      ...(world.memcacheds.get({ namespace: "shop", name: "cache" }) as KubeObject),
      spec: { size: 1, image: "example.com/new:1" },
      metadata: { ...memcached().metadata, generation: 2 },
    } as KubeObject);
    world.refusals.set("Deployment", new TransportError("TIMEOUT", "no answer within 30 s"));
    await assert.rejects(world.pass(), TransportError);
    assert.ok(!world.take().includes("status"));
  });

  it("fills in a size that is missing before anything else, with what runs", async () => {
    const world = new World();
    world.memcacheds.put(memcached({ size: undefined }) as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), [
      'scale {"metadata":{"resourceVersion":"10"},"spec":{"replicas":1}}',
      'scale {"metadata":{"managedFields":[{}]}}',
    ]);
    const grown = await created(memcached({ size: 4 }));
    grown.memcacheds.put(memcached({ size: undefined }) as KubeObject);
    await grown.pass();
    const four = 'scale {"metadata":{"resourceVersion":"10"},"spec":{"replicas":4}}';
    assert.equal(grown.take()[0], four);
    // What an earlier Memcached of its name has left runs, too.
    const { metadata, ...rest } = grown.deployments.get(key) as KubeObject;
    grown.deployments.put({ ...rest, metadata: { ...metadata, ownerReferences: [] } });
    const uid = "uid-2";
    grown.memcacheds.put(memcached({ size: undefined }, { metadata: { ...memcached().metadata, uid } }) as KubeObject);
    await grown.pass();
    assert.equal(grown.take()[0], four);
  });

  it("keeps what runs without the right to fill a size in, and writes nothing over a change that comes between", async () => {
    const world = await created(memcached({ size: 4 }));
    world.memcacheds.put(memcached({ size: undefined }) as KubeObject);
    world.refusals.set("Scale", new ApiError(403, "Forbidden", "may not patch memcacheds/scale"));
    await world.pass();
    assert.deepEqual(world.take().slice(1), []);
    assert.equal((world.deployments.get(key) as KubeObject & { spec: { replicas: number } }).spec.replicas, 4);
    world.refusals.set("Scale", new ApiError(409, "Conflict", "it has changed"));
    await assert.rejects(world.pass(), /it has changed/);
  });

  it("writes nothing for a resource that is being deleted or gone", async () => {
    const world = await created();
    const deletionTimestamp = "2026-01-01T00:00:00Z";
    world.memcacheds.put({ ...memcached(), metadata: { ...memcached().metadata, deletionTimestamp } } as KubeObject);
    world.deployments.objects.clear();
    await world.pass();
    world.memcacheds.objects.clear();
    await world.pass();
    assert.deepEqual(world.take(), []);
  });

  it("makes a vanished child anew only after asking whether the resource is still wanted (ClickHouse/clickhouse-operator#309)", async () => {
    const world = await created();
    world.deployments.objects.clear();
    await world.pass();
    assert.deepEqual(world.take(), ["get"], "the resource is gone, though the cache does not know yet");
    world.atServer = memcached() as KubeObject;
    await world.pass();
    assert.deepEqual(world.take(), ["get", "create Deployment"]);
  });

  const terminating = async () => {
    const world = new World();
    world.memcacheds.put(memcached() as KubeObject);
    const causes = [{ reason: "NamespaceTerminating" }];
    for (const kind of ["Deployment", "Service"])
      world.refusals.set(kind, new ApiError(403, "Forbidden", "it is being terminated", { causes }));
    assert.deepEqual(await world.pass(), { requeueAfterMs: 30_000 });
    assert.deepEqual(world.take(), ["create Deployment", "create Service"]);
    world.now += 10_000;
    return world;
  };

  it("lets a namespace go in peace for half a minute (kubernetes-sigs/agent-sandbox#1617)", async () => {
    const world = await terminating();
    assert.deepEqual(await world.pass(), { requeueAfterMs: 20_000 });
    assert.deepEqual([world.take(), world.events], [[], []]);
    world.now += 20_000;
    await world.pass();
    assert.deepEqual(world.take(), ["create Deployment", "create Service"]);
  });

  it("lets it go in peace also when the first of its resources is gone", async () => {
    const world = await terminating();
    const neighbour = memcached({}, { metadata: { ...memcached().metadata, name: "neighbour", uid: "uid-2" } });
    world.memcacheds.put(neighbour as KubeObject);
    world.memcacheds.objects.delete("shop/cache");
    await world.pass();
    assert.deepEqual(await world.pass("neighbour"), { requeueAfterMs: 20_000 });
    assert.deepEqual(world.take(), []);
  });

  it("serves a new namespace of that name at once", async () => {
    const world = await terminating();
    world.memcacheds.objects.clear();
    await world.pass();
    world.refusals.clear();
    world.memcacheds.put(memcached({}, { metadata: { ...memcached().metadata, uid: "uid-2" } }) as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), ["create Deployment", "create Service"]);
  });

  it("waits for the child of an earlier resource of its name, without calling it foreign", async () => {
    const world = await created();
    world.memcacheds.put(memcached({}, { metadata: { ...memcached().metadata, uid: "uid-2" } }) as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), ["status"]);
    assert.equal(world.status[1], "Progressing=True Waiting");
    world.deployments.objects.clear();
    world.services.objects.clear();
    world.now += 1_000;
    world.atServer = world.memcacheds.get({ namespace: "shop", name: "cache" });
    await world.pass();
    assert.deepEqual(world.take(), ["get", "create Deployment", "create Service", "status"]);
  });

  it("of a new leader makes nothing for what is gone, though its cache does not know that yet", async () => {
    const world = new World();
    const conditions = [{ type: "Ready", status: "True", reason: "ServersReady", message: "" }];
    const status = { observedGeneration: 1, conditions } as Memcached["status"];
    world.memcacheds.put(memcached({}, { status }) as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), ["get"]);
    world.atServer = memcached({}, { metadata: { ...memcached().metadata, uid: "uid-2" } }) as KubeObject;
    await world.pass();
    assert.deepEqual(world.take(), ["get"], "another of that name");
    world.atServer = memcached() as KubeObject;
    await world.pass();
    assert.deepEqual(world.take().slice(0, 3), ["get", "create Deployment", "create Service"]);
  });

  it("tells what was done to the children, in Events", async () => {
    const world = await created();
    assert.deepEqual(world.normalEvents.splice(0), [
      "SuccessfulCreate: Created Deployment cache",
      "SuccessfulCreate: Created Service cache",
    ]);
    const change = (spec: MemcachedSpec, generation: number) => {
      const { status } = world.memcacheds.get(key) as Memcached;
      const metadata = { ...memcached().metadata, generation };
      world.memcacheds.put(memcached(spec, { metadata, status }) as KubeObject);
      return world.pass();
    };
    await change({ size: 3 }, 2);
    await change({ size: 3, threads: 8 }, 3);
    const live = world.deployments.get(key) as KubeObject;
    world.deployments.put({ ...live, metadata: { ...live.metadata, generation: 9, labels: {} } });
    await world.pass();
    assert.deepEqual(world.normalEvents.splice(0), [
      "Scaled: Scaled Deployment cache from 1 to 3",
      "SuccessfulCreate: Created PodDisruptionBudget cache",
      "Updated: Updated Deployment cache",
      "Restored: Restored Deployment cache: someone had changed fields that the operator manages",
    ]);
    for (let generation = 10; generation < 100; generation++) await change({ size: generation }, generation);
    assert.ok(world.normalEvents.length <= 12, `${world.normalEvents.length} Events of one resource`);
  });

  it("says so when the spec cannot be understood, and touches nothing (kubernetes-client/javascript#856)", async () => {
    const world = await created();
    const metadata = { ...memcached().metadata, generation: 2 };
    const broken = memcached({ memory: "lots" }, { status: undefined, metadata });
    world.memcacheds.put(broken as KubeObject);
    await world.pass();
    assert.deepEqual(world.take(), ["status"]);
    assert.equal(world.status[2], "Degraded=True InvalidSpec");
    assert.deepEqual(world.events, ["Warning InvalidSpec"]);
  });

  it("waits for the API server to learn of the kind", async () => {
    const world = new World();
    world.memcacheds.put(memcached() as KubeObject);
    world.refusals.set("Deployment", new ApiError(403, "Forbidden", "cannot find RESTMapping for APIVersion x"));
    await world.pass();
    assert.equal(world.status[1], "Progressing=True Waiting");
    assert.equal(world.status[2], "Degraded=False AsExpected");
  });
});
