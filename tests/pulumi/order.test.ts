import assert from "node:assert/strict";
import { ConfigMap, Namespace } from "@pulumi/kubernetes/core/v1";
import { secret } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { deleteNamespace, newNamespace } from "../support/namespace";
import { until } from "../support/until";
import { runOperator } from "./support/operator";
import type { RunningOperator } from "./support/operator";
import { newStack } from "../support/stack";
import type { TestStack } from "../support/stack";

describe("pulumi: what comes before and after a cache", function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let namespace: string;
  let operator: RunningOperator;
  let stack: TestStack;

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "order");
    operator = await runOperator(plane, [namespace]);
    stack = await newStack(plane.kubeconfig, () => ({}));
  });
  after(() => operator.stop());
  after(() => stack.remove());
  afterEach(() => stack.destroy());

  /** The places in what Pulumi printed at which these things happened. */
  const places = (...events: string[]) => events.map((event) => stack.log().indexOf(event));
  const inOrder = (found: number[]) => found.every((at, i) => at >= 0 && (i === 0 || at > found[i - 1]!));

  it("pulumi/pulumi#1743, #7542, #8721: dependsOn with the component holds on both sides, up and down", async () => {
    await stack.up((provider) => {
      const metadata = (name: string) => ({ metadata: { namespace, name } });
      const before = new ConfigMap("before", metadata("before"), { provider });
      const cache = new Memcached("cache", { name: "cache", namespace }, { provider, dependsOn: before });
      new ConfigMap("after", metadata("after"), { provider, dependsOn: cache });
    });
    const created = places(
      "before created",
      "v1:Memcached cache creating",
      "v1:Memcached cache created",
      "after creating",
    );
    assert.ok(inOrder(created), stack.log());
    const cache = stack.resource("v1:Memcached", "cache");
    assert.deepEqual(stack.resource("v1:ConfigMap", "after").dependencies, [cache.urn]);
    await stack.destroy();
    const deleted = places(
      "after deleted",
      "v1:Memcached cache deleting",
      "v1:Memcached cache deleted",
      "before deleting",
    );
    assert.ok(inOrder(deleted), stack.log());
  });

  it("pulumi/pulumi-kubernetes#239: a namespace of the same program comes first, by its output or by dependsOn", async () => {
    const names = ["by-output", "by-option"].map((name) => `${namespace}-${name}`);
    const changes = await stack.preview((provider) => {
      const [first, second] = names.map((name) => new Namespace(name, { metadata: { name } }, { provider }));
      new Memcached("by-output", { namespace: first!.metadata.name, skipAwait: true }, { provider });
      new Memcached("by-option", { namespace: names[1], skipAwait: true }, { provider, dependsOn: second });
    });
    assert.deepEqual(changes, { create: 8 });
    await stack.up();
    assert.ok(!stack.log().includes("not found"), stack.log());
    for (const cache of ["by-output", "by-option"])
      assert.ok(inOrder(places(`${namespace}-${cache} created`, `v1:Memcached ${cache} created`)), stack.log());
  });

  it("pulumi/pulumi-kubernetes#239: a namespace that is missing is named at once, and may still come", async () => {
    const missing = `${namespace}-missing`;
    const up = stack.up((provider) => {
      new Memcached("cache", { namespace: missing, skipAwait: true }, { provider });
    });
    await until("the namespace to be named", 20_000, () => stack.log().includes(`namespaces "${missing}" not found`));
    await plane.client.json("POST", "/api/v1/namespaces", { metadata: { name: missing } });
    await up;
    await stack.destroy();
    await deleteNamespace(plane, missing);
  });

  it("pulumi/pulumi-kubernetes#1836: outputs are typed, and wait for the cache", async () => {
    assert.deepEqual(
      await stack.preview((provider) => {
        const cache = new Memcached("cache", { name: "cache", namespace, size: 2 }, { provider });
        const data = {
          host: cache.host,
          port: cache.port.apply((port) => port.toFixed()),
          servers: cache.servers.apply((servers) => servers.join(",")),
          nodes: cache.nodes.apply((nodes) => String(nodes.length)),
        };
        new ConfigMap("settings", { metadata: { namespace, name: "settings" }, data }, { provider });
      }),
      { create: 5 },
    );
    await stack.up();
    assert.deepEqual(stack.resource("v1:ConfigMap", "settings").inputs.data, {
      host: `cache.${namespace}.svc.cluster.local`,
      port: "11211",
      servers: `cache.${namespace}.svc.cluster.local:11211`,
      nodes: "2",
    });
  });

  it("pulumi/pulumi-kubernetes#734, #3894: a secret given to the components is nowhere in the state in plain text", async () => {
    const password = "s3cr3t-9f8e7d";
    await stack.up((provider) => {
      const httpProxy = secret(`http://user:${password}@proxy.example.com:3128`);
      const args = { namePrefix: "order-", namespace, createNamespace: false, installCrds: false, skipAwait: true };
      new MemcachedOperator("op", { ...args, image: "operator:test", replicas: 0, proxy: { httpProxy } }, { provider });
      const annotations = { "example.com/token": secret(password) };
      new Memcached("cache", { namespace, size: 0, annotations }, { provider });
    });
    const deployment = await plane.client.request(
      "GET",
      `/apis/apps/v1/namespaces/${namespace}/deployments/order-controller-manager`,
    );
    assert.ok(deployment.text.includes(password), "the operator has no proxy");
    const state = stack.stored();
    assert.ok(state.includes("order-controller-manager"), "that is no state");
    assert.ok(!state.includes(password), `in plain text: ${leaks(state, password)}`);
  });
});

/** The resources whose state holds the text. */
function leaks(state: string, text: string): string {
  const { checkpoint } = JSON.parse(state) as { checkpoint: { latest: { resources: { urn: string }[] } } };
  return checkpoint.latest.resources
    .filter((r) => JSON.stringify(r).includes(text))
    .map((r) => r.urn)
    .join(", ");
}
