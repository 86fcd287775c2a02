import assert from "node:assert/strict";
import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import { rootStackResource } from "@pulumi/pulumi";
import { Memcached } from "../../components";
import type { MemcachedArgs } from "../../components";
import type { MemcachedOptions } from "../../components/memcachedOptions";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { runOperator } from "./support/operator";
import type { RunningOperator } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";
import { until } from "../support/until";
import { resourceOptions } from "./support/transforms";

interface Cache {
  metadata: { name: string; uid: string };
  spec: { size: number; memory: string };
}

describe("pulumi: changes of caches", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let namespace: string;
  let operator: RunningOperator;
  let stack: TestStack;

  const caches = () => `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`;
  const get = (name: string) => plane.client.json<Cache>("GET", `${caches()}/${name}`);
  const uid = async (name: string) => (await get(name)).metadata.uid;
  const names = async () =>
    (await plane.client.json<{ items: Cache[] }>("GET", caches())).items.map((cache) => cache.metadata.name);
  const merge = (path: string, body: object) =>
    plane.client.json("PATCH", `${caches()}/${path}`, body, "application/merge-patch+json");
  /** Server-side apply as another tool does it. */
  const applyAs = (manager: string, name: string, spec: object) =>
    plane.client.json(
      "PATCH",
      `${caches()}/${name}?fieldManager=${manager}&force=true`,
      { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name }, spec },
      "application/apply-patch+yaml",
    );

  const one =
    (pulumiName: string, args: MemcachedArgs, opts: MemcachedOptions = {}): Program =>
    (provider) => {
      const cache = new Memcached(pulumiName, { namespace, readyTimeout: "60s", ...args }, { provider, ...opts });
      return { name: cache.name, servers: cache.servers };
    };

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "changes");
    operator = await runOperator(plane, [namespace]);
    stack = await newStack(plane.kubeconfig, () => ({}));
  });
  after(() => operator.stop());
  after(() => stack.remove());
  // Each test's first update takes away what the test before it left, so names differ from test to test; the last one destroys the stack.
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(stack.log(), operator.log());
  });

  it("adopts a resource made by hand, once the program is told to win", async () => {
    await applyAs("kubectl", "by-hand", { size: 1, memory: "128Mi" });
    const before = await uid("by-hand");
    const args: MemcachedArgs = { name: "by-hand", memory: "256Mi" };
    await assert.rejects(stack.up(one("hand", args)), /conflict with "kubectl": \.spec\.memory/);
    assert.equal((await get("by-hand")).spec.memory, "128Mi");
    await stack.up(one("hand", { ...args, patchForce: true }));
    assert.equal((await get("by-hand")).spec.memory, "256Mi");
    assert.equal(await uid("by-hand"), before);
    await stack.noChanges();
  });

  it("adopts a resource made by hand by Pulumi's import", async () => {
    await applyAs("kubectl", "imported", { size: 1, memory: "128Mi" });
    const before = await uid("imported");
    const args: MemcachedArgs = { name: "imported", size: 1, memory: "128Mi" };
    const { summary } = await stack.up(one("imported", args, resourceOptions({ import: `${namespace}/imported` })));
    assert.equal(summary.resourceChanges!.import, 1);
    await stack.up(one("imported", { ...args, memory: "256Mi" }));
    assert.equal(await uid("imported"), before);
    await stack.noChanges();
  });

  it("pulumi/pulumi-kubernetes#1837, #537: moves a bare resource into the component with an alias", async () => {
    const apiVersion = "cache.example.com/v1";
    await stack.up((provider) => {
      const bare = { apiVersion, kind: "Memcached", metadata: { name: "bare", namespace }, spec: { size: 1 } };
      new CustomResource("cache", bare, { provider });
    });
    const before = await uid("bare");
    const aliased = resourceOptions({ aliases: [{ parent: rootStackResource }] });
    assert.deepEqual(await stack.preview(one("cache", { name: "bare", size: 1 }, aliased)), {
      create: 1,
      same: 2,
      update: 1,
    });
    await stack.up();
    assert.equal(await uid("bare"), before);
    // Once it has moved, the alias can go. A refresh, for the provider may have noted the object as it was just before: it is ready
    // already, and the provider takes the first object that is.
    const { changeSummary } = await stack.previewed(one("cache", { name: "bare", size: 1 }), { refresh: true });
    assert.deepEqual(changeSummary, { same: 4 });
  });

  it("pulumi/pulumi-kubernetes#2926, #2948: renames with an alias, and the cache stays", async () => {
    await stack.up(one("old", { size: 1 }));
    const [name] = await names();
    const before = await uid(name!);
    assert.deepEqual(await stack.preview(one("new", { size: 1 }, { aliases: [{ name: "old" }] })), { same: 4 });
    await stack.up();
    assert.deepEqual(await names(), [name]);
    assert.equal(await uid(name!), before);
    await stack.noChanges();
  });

  it("replaces when the resource's name changes, the new cache first where the program says so", async () => {
    const newFirst = { deleteBeforeReplace: false };
    await stack.up(one("cache", { name: "first", size: 1 }, newFirst));
    assert.deepEqual(await stack.preview(one("cache", { name: "second", size: 1 }, newFirst)), {
      same: 2,
      update: 1,
      replace: 1,
    });
    const { outputs } = await stack.up();
    assert.deepEqual(outputs.servers!.value, [`second.${namespace}.svc.cluster.local:11211`]);
    assert.ok(stack.log().indexOf("created replacement") < stack.log().indexOf("deleting original"), stack.log());
    assert.deepEqual(await names(), ["second"]);
  });

  it("pulumi/pulumi-kubernetes#2491, #2258, #2750: leaves a size alone that it does not give", async () => {
    await stack.up(one("unsized", { name: "unsized", memory: "64Mi" }));
    await merge("unsized/scale", { spec: { replicas: 3 } });
    await stack.noChanges();
    await stack.up(one("unsized", { name: "unsized", memory: "128Mi" }));
    const { size, memory } = (await get("unsized")).spec;
    assert.deepEqual({ size, memory }, { size: 3, memory: "128Mi" });
  });

  it("kubernetes/kubernetes#25238: a size taken out of the program ends no server", async () => {
    await stack.up(one("handed", { name: "handed", size: 3 }));
    const { stdout } = await stack.previewed(one("handed", { name: "handed" }));
    assert.match(stdout, /-\s+size\s*: 3/, stdout);
    await stack.up();
    await until("the size to be there again", 15_000, async () => (await get("handed")).spec.size === 3);
    await stack.noChanges();
    await merge("handed/scale", { spec: { replicas: 2 } });
    await stack.up(one("handed", { name: "handed", memory: "128Mi" }));
    const { size, memory } = (await get("handed")).spec;
    assert.deepEqual({ size, memory }, { size: 2, memory: "128Mi" });
  });

  it("pulumi/pulumi-kubernetes#2280: says whose a field is, and takes it with patchForce", async () => {
    await stack.up(one("claimed", { name: "claimed", memory: "64Mi" }));
    await applyAs("someone", "claimed", { memory: "128Mi" });
    const args: MemcachedArgs = { name: "claimed", memory: "256Mi" };
    await assert.rejects(stack.preview(one("claimed", args)), /conflict with "someone".*\.spec\.memory/);
    await assert.rejects(stack.up(one("claimed", args)), /conflict with "someone".*\.spec\.memory/);
    await stack.up(one("claimed", { ...args, patchForce: true }));
    assert.equal((await get("claimed")).spec.memory, "256Mi");
    await stack.noChanges();
  });

  it("pulumi/pulumi#5087, pulumi/pulumi-kubernetes#2404: a preview with refresh finds drift, and an update with refresh mends it", async () => {
    await stack.up(one("drifted", { name: "drifted", size: 1, memory: "64Mi" }));
    await applyAs("someone", "drifted", { memory: "128Mi" });
    await assert.rejects(stack.stack.preview({ refresh: true, expectNoChanges: true }), /no changes were expected/);
    await stack.stack.up({ refresh: true });
    assert.equal((await get("drifted")).spec.memory, "64Mi");
    await stack.noChanges();
  });

  it("pulumi/pulumi-kubernetes#1418, #1392, pulumi/pulumi#8502: reports a finalizer of others that holds the cache", async () => {
    await stack.up(one("held", { name: "held", size: 1 }, resourceOptions({ customTimeouts: { delete: "3s" } })));
    await merge("held", { metadata: { finalizers: ["example.com/backup"] } });
    await assert.rejects(
      stack.destroy(),
      /finalizers might be preventing deletion \(example\.com\/backup\)[^]*timed out waiting/,
    );
    await merge("held", { metadata: { finalizers: null } });
    await stack.destroy();
    assert.deepEqual(await names(), []);
  });
});
