import assert from "node:assert/strict";
import { Memcached, MemcachedOperator } from "../../components";
import { newControlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { until } from "../support/until";
import { crdPath } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

describe("pulumi: on a cluster without the CRD", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let namespace: string;
  let operator: TestStack;
  let caches: TestStack;

  const install: Program = (provider) => {
    new MemcachedOperator(
      "op",
      { image: "operator:test", namePrefix: "bare-", namespace: "bare", retainCrds: false, skipAwait: true },
      { provider },
    );
  };
  const cache: Program = (provider) => {
    // The garbage collector learns of a new kind within half a minute: nothing is deleted in the foreground before.
    const annotations = { "pulumi.com/deletionPropagationPolicy": "background" };
    new Memcached("cache", { namespace, name: "cache", annotations, skipAwait: true }, { provider });
  };
  const crdCode = async () => (await plane.client.request("GET", crdPath)).code;

  before(async () => {
    plane = await newControlPlane({ prepare: undefined });
    namespace = await newNamespace(plane, "bare-caches");
    assert.equal(await crdCode(), 404);
    operator = await newStack(plane.kubeconfig, install);
    caches = await newStack(plane.kubeconfig, cache);
  });
  after(async () => {
    [operator, caches].forEach((stack) => stack.remove());
    await plane.stop();
  });

  it("pulumi/pulumi-kubernetes#3176, #3247, #1712: previews the operator and a cache of a kind that is not there", async () => {
    const changes = await operator.preview((provider) => {
      install(provider);
      cache(provider);
    });
    assert.deepEqual(changes, { create: 20 });
  });

  it("pulumi/pulumi-kubernetes#3188, #3137: a cache of another program finds the CRD served once the operator's is up", async () => {
    await operator.up(install);
    await caches.up();
    const crd = operator.resource("v1:CustomResourceDefinition", "op-crd");
    const deployment = operator.resource("v1:Deployment", "op-controller-manager");
    assert.ok(deployment.dependencies!.includes(crd.urn), "the controller does not wait for its CRD");
  });

  it("deletes the CRD on destroy when it is told to, and all caches with it", async () => {
    await operator.destroy();
    await until("the CRD to be gone", 30_000, async () => (await crdCode()) === 404);
    // What went with its kind is no error for who had made it.
    await caches.destroy();
    assert.deepEqual(caches.resources(), []);
  });

  it("pulumi/pulumi-kubernetes#1260: a cache of another program that is a little too early waits for the CRD", async () => {
    const early = caches.up();
    early.catch(() => undefined);
    await until("the cache to be on its way", 20_000, () => caches.log().includes("v1:Memcached cache creating"));
    await operator.up();
    await early;
    assert.equal(caches.resource("v1:Memcached", "cache").id, `${namespace}/cache`);
    await caches.destroy();
    await operator.destroy();
  });
});
