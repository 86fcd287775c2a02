import assert from "node:assert/strict";
import { Memcached, MemcachedOperator } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { until } from "../support/until";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { crdPath } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

const operatorNamespace = "memcached-operator-system";

describe("pulumi: an operator and its cache", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let namespace: string;
  let stack: TestStack;

  const program =
    (size: number, labels?: Record<string, string>): Program =>
    (provider) => {
      const operator = new MemcachedOperator("op", { image: "operator:test" }, { provider });
      const cache = new Memcached(
        "cache",
        { namespace, size, labels, readyTimeout: "60s" },
        { provider, dependsOn: operator },
      );
      return { name: cache.name, servers: cache.servers, nodes: cache.nodes, namespace: operator.namespace };
    };
  const caches = () => `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`;

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "pulumi");
    kubelet = startKubelet(plane, [operatorNamespace, namespace]);
    stack = await newStack(plane.kubeconfig, program(2));
  });
  after(async () => {
    await kubelet.stop();
    await plane.client.request("DELETE", `${caches()}/of-others`);
    stack.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(kubelet.log());
  });

  it("previews the whole of it before there is a CRD", async () => {
    assert.deepEqual(await stack.preview(), { create: 21 });
  });

  it("is up once the cache is ready, with the operator in the rights it was given", async () => {
    const { outputs } = await stack.up();
    assert.match(outputs.name!.value as string, /^cache-[0-9a-f]{8}$/);
    assert.deepEqual(outputs.servers!.value, [`${outputs.name!.value}.${namespace}.svc.cluster.local:11211`]);
    assert.equal((outputs.nodes!.value as string[]).length, 2);
    assert.equal(outputs.namespace!.value, operatorNamespace);
  });

  it("finds no changes, in a preview and in a refresh", async () => {
    await stack.stack.preview({ expectNoChanges: true });
    await stack.stack.refresh({ expectNoChanges: true });
  });

  it("resizes in place, and waits for the new size", async () => {
    assert.deepEqual(await stack.preview(program(3)), { same: 19, update: 2 });
    const { outputs } = await stack.up();
    assert.equal((outputs.nodes!.value as string[]).length, 3);
    await stack.noChanges();
  });

  it("does not wait where nothing is to be done: a change of labels", async () => {
    const start = Date.now();
    await stack.up((provider) => program(3, { team: "checkout" })(provider));
    assert.ok(Date.now() - start < 20_000, "a change of labels took 20 s or more");
  });

  it("pulumi/pulumi-kubernetes#2491, #2258: takes a size back that was set by kubectl scale", async () => {
    const { items } = await plane.client.json<{ items: { metadata: { name: string } }[] }>("GET", caches());
    const scale = `${caches()}/${items[0]!.metadata.name}/scale`;
    await plane.client.json("PATCH", scale, { spec: { replicas: 5 } }, "application/merge-patch+json");
    await stack.up(program(4));
    const after = await plane.client.json<{ items: { spec: { size: number } }[] }>("GET", caches());
    assert.equal(after.items[0]!.spec.size, 4);
  });

  it("fails in readyTimeout for a cache that cannot run, with the operator's own words, and heals", async () => {
    const withAnother =
      (image: string): Program =>
      (provider) => {
        program(4)(provider);
        new Memcached("other", { namespace, image, readyTimeout: "8s" }, { provider });
      };
    const failure = await stack.up(withAnother("example.com/broken:1")).then(
      () => "it was ready",
      (error: Error) => error.message,
    );
    assert.match(failure, /timed out waiting for the condition/);
    assert.match(failure, /warning: ErrImagePull: .*example\.com\/broken:1/);
    await stack.up(withAnother("example.com/mended:1"));
    await stack.noChanges();
  });

  it("pulumi/pulumi-kubernetes#1418, #1392, #531: is destroyed in under a minute, and leaves the CRD and what others made", async () => {
    const body = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name: "of-others" }, spec: {} };
    await plane.client.json("POST", caches(), body);
    const start = Date.now();
    await stack.destroy();
    assert.ok(Date.now() - start < 60_000, "destroy took a minute or more");
    assert.deepEqual(stack.resources(), []);
    assert.equal((await plane.client.request("GET", crdPath)).code, 200);
    const left = await plane.client.json<{ items: { metadata: { name: string } }[] }>("GET", caches());
    assert.deepEqual(
      left.items.map((item) => item.metadata.name),
      ["of-others"],
    );
    await until("the operator's namespace to go", 30_000, async () => {
      return (await plane.client.request("GET", `/api/v1/namespaces/${operatorNamespace}`)).code === 404;
    });
  });
});
