import assert from "node:assert/strict";
import { Provider } from "@pulumi/kubernetes/provider";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
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

interface Cache {
  metadata: { name: string; uid: string; labels?: Record<string, string> };
  spec: { size?: number; memory?: string };
}

describe("pulumi: options given to a cache", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let namespace: string;
  let operator: RunningOperator;
  let stack: TestStack;

  const path = (name: string) => `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/${name}`;
  const get = (name: string) => plane.client.json<Cache>("GET", path(name));
  const merge = (at: string, body: object) => plane.client.json("PATCH", at, body, "application/merge-patch+json");
  const one =
    (args: MemcachedArgs, opts: MemcachedOptions = {}): Program =>
    (provider) =>
      void new Memcached("cache", { namespace, readyTimeout: "60s", ...args }, { provider, ...opts });

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "options");
    operator = await runOperator(plane, [namespace]);
    stack = await newStack(plane.kubeconfig, () => ({}));
  });
  after(() => operator.stop());
  after(() => stack.remove());
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(stack.log(), operator.log());
  });

  it("pulumi/pulumi#9877: ignoreChanges leaves the size to kubectl scale, while other arguments change", async () => {
    const opts = { ignoreChanges: ["size", "labels.team"] };
    const args = { name: "ignoring", size: 3, labels: { team: "a", tier: "a" } };
    await stack.up(one(args, opts));
    await merge(`${path("ignoring")}/scale`, { spec: { replicas: 5 } });
    await merge(path("ignoring"), { metadata: { labels: { team: "by-hand" } } });
    await stack.up(one({ ...args, size: 2, memory: "128Mi", labels: { team: "b", tier: "b" } }, opts));
    const { spec, metadata } = await get("ignoring");
    assert.deepEqual([spec.size, spec.memory, metadata.labels], [5, "128Mi", { team: "by-hand", tier: "b" }]);
    await stack.stack.preview({ expectNoChanges: true });
  });

  it("pulumi/pulumi#8969: replaceOnChanges replaces the cache, a named one only after the old one is deleted", async () => {
    const opts = { replaceOnChanges: ["memory"] };
    await stack.up(one({ name: "replaced", memory: "64Mi" }, opts));
    const { uid } = (await get("replaced")).metadata;
    await stack.up(one({ name: "replaced", memory: "128Mi" }, opts));
    const now = await get("replaced");
    assert.equal(now.spec.memory, "128Mi");
    assert.notEqual(now.metadata.uid, uid);
    await stack.noChanges();
  });

  it("pulumi/pulumi#8969: customTimeouts are the cache's", async () => {
    const { code } = await plane.client.request("GET", path("slow"));
    assert.equal(code, 404);
    const customTimeouts = { create: "3s", delete: "1m" };
    const slow: Program = (provider) =>
      void new Memcached("slow", { namespace, name: "slow", image: "broken" }, { provider, customTimeouts });
    await assert.rejects(stack.up(slow), /timed out waiting for the condition/);
    assert.deepEqual(stack.resource("v1:Memcached", "slow").customTimeouts, { create: 3, update: 300, delete: 60 });
  });

  it("pulumi/pulumi#8969: import, protect and additionalSecretOutputs are the cache's", async () => {
    const body = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name: "guarded" } };
    await plane.client.apply(path("guarded"), { ...body, spec: { size: 1 } });
    const { uid } = (await get("guarded")).metadata;
    const guarded =
      (opts: MemcachedOptions): Program =>
      (provider) => {
        const cache = new Memcached("cache", { name: "guarded", namespace, size: 1 }, { provider, ...opts });
        return { nodes: cache.nodes, namespace: cache.namespace };
      };
    const opts: MemcachedOptions = { protect: true, additionalSecretOutputs: ["nodes"] };
    await stack.up(guarded({ ...opts, import: `${namespace}/guarded` }));
    const { outputs } = await stack.up(guarded(opts));
    assert.deepEqual([outputs.nodes!.secret, outputs.namespace!.secret], [true, false]);
    assert.equal(outputs.nodes!.value.length, 1);
    await assert.rejects(stack.destroy(), /protect/);
    assert.equal((await get("guarded")).metadata.uid, uid);
    await stack.up(guarded({}));
  });

  it("pulumi/pulumi#8969: retainOnDelete leaves the cache, and so does deletedWith with what it names", async () => {
    await stack.up((provider) => {
      new Memcached("kept", { name: "kept", namespace }, { provider, retainOnDelete: true });
      const settings = new ConfigMap("settings", { metadata: { namespace } }, { provider });
      new Memcached("along", { name: "along", namespace }, { provider, deletedWith: settings });
    });
    await stack.destroy();
    for (const name of ["kept", "along"]) {
      await get(name);
      await plane.client.request("DELETE", path(name));
    }
  });

  it("pulumi/pulumi-kubernetes#971: without a namespace a cache is in that of its provider", async () => {
    const program: Program = () => {
      const provider = new Provider("teamx", { kubeconfig: plane.kubeconfig, namespace });
      const cache = new Memcached("cache", { name: "nearby", size: 1 }, { provider });
      return { namespace: cache.namespace, servers: cache.servers };
    };
    const { outputs } = await stack.up(program);
    assert.equal(outputs.namespace!.value, namespace);
    assert.deepEqual(outputs.servers!.value, [`nearby.${namespace}.svc.cluster.local:11211`]);
    await get("nearby");
    await stack.noChanges();
    await stack.destroy();
  });

  it('pulumi/pulumi-kubernetes#971: leaves a cache where it is that release 0.1.0 put in "default"', async () => {
    const inDefault =
      (args: MemcachedArgs): Program =>
      (provider) => {
        const cache = new Memcached("cache", { name: "in-default", size: 0, skipAwait: true, ...args }, { provider });
        return { namespace: cache.namespace };
      };
    // That is what 0.1.0 sent when no namespace was given.
    await stack.up(inDefault({ namespace: "default" }));
    const { summary, outputs } = await stack.up(inDefault({}));
    assert.deepEqual(Object.keys(summary.resourceChanges!).sort(), ["same", "update"]);
    assert.equal(outputs.namespace!.value, "default");
    await stack.noChanges();
    await stack.destroy();
  });
});
