import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { Provider } from "@pulumi/kubernetes/provider";
import { memcachedCrd } from "../../api";
import { MemcachedOperator } from "../../components";
import type { MemcachedOperatorArgs } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { crdPath } from "./support/operator";
import { newStack } from "../support/stack";
import { until } from "../support/until";
import type { Program, TestStack } from "../support/stack";

interface Crd {
  metadata: { uid: string; generation: number; annotations?: Record<string, string> };
  spec: { names: { categories?: string[] } };
  status: { acceptedNames: { categories?: string[] } };
}

/** The CRD as another release, installed by hand, could have left it. */
function otherRelease(): object {
  const other = structuredClone(memcachedCrd()) as unknown as Crd;
  other.spec.names.categories = ["other"];
  return other;
}

describe("pulumi: the CRD", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let stack: TestStack;
  let othersPath: string;

  const base: MemcachedOperatorArgs = { image: "operator:test", namePrefix: "crd-", namespace: "crd-operator" };
  const install =
    (args: Partial<MemcachedOperatorArgs> = {}): Program =>
    (provider) => {
      new MemcachedOperator("op", { ...base, skipAwait: true, replicas: 0, ...args }, { provider });
    };
  const crd = () => plane.client.json<Crd>("GET", crdPath);

  before(async () => {
    plane = await controlPlane();
    await plane.client.apply(crdPath, otherRelease());
    await until("the server to have taken its names", 10_000, async () => {
      return (await crd()).status.acceptedNames.categories?.includes("other");
    });
    othersPath = `/apis/cache.example.com/v1/namespaces/${await newNamespace(plane, "others")}/memcacheds/cache`;
    stack = await newStack(plane.kubeconfig, install());
  });
  after(async () => {
    await plane.client.request("DELETE", othersPath);
    stack.remove();
  });
  const makeOthersCache = () =>
    plane.client.apply(othersPath, {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { name: "cache" },
      spec: {},
    });
  const uidOfOthersCache = async () =>
    (await plane.client.json<{ metadata: { uid: string } }>("GET", othersPath)).metadata.uid;

  it("pulumi/pulumi-kubernetes#3094: a preview writes nothing, and neither does an install that leaves the CRD alone", async () => {
    const before = await crd();
    await stack.preview();
    await stack.up(install({ installCrds: false }));
    assert.deepEqual(await crd(), before);
  });

  it("takes over a CRD of another release that is there", async () => {
    const { uid } = (await crd()).metadata;
    await stack.up(install());
    const after = await crd();
    assert.equal(after.metadata.uid, uid);
    assert.deepEqual(after.spec.names.categories, (memcachedCrd() as unknown as Crd).spec.names.categories);
  });

  it("pulumi/pulumi-kubernetes#1883, #2505: is updated again and again without a difference, and carries no copy of itself", async () => {
    await stack.noChanges();
    const { generation } = (await crd()).metadata;
    const { summary } = await stack.up();
    assert.deepEqual(Object.keys(summary.resourceChanges!), ["same"]);
    const { metadata } = await crd();
    assert.equal(metadata.generation, generation);
    assert.ok(!Object.keys(metadata.annotations ?? {}).some((key) => key.endsWith("last-applied-configuration")));
    assert.ok(JSON.stringify(memcachedCrd()).length < 256 * 1024, "more than an annotation of kubectl apply can hold");
  });

  it("pulumi/pulumi-kubernetes#2370: another address of the cluster never deletes the CRD, and with an identifier nothing", async () => {
    const kubeconfig = readFileSync(plane.kubeconfig, "utf8");
    const at =
      (host: string, clusterIdentifier?: string): Program =>
      () => {
        const moved = kubeconfig.replace("127.0.0.1", host);
        assert.ok(moved.includes(host), "the kubeconfig names no server to replace");
        install()(new Provider("moved", { kubeconfig: moved, ...(clusterIdentifier && { clusterIdentifier }) }));
      };
    await stack.up(at("127.0.0.1", "test"));
    // With a name for the cluster, its address is only where it is found.
    const changes = await stack.preview(at("localhost", "test"));
    assert.deepEqual(Object.keys(changes).sort(), ["same", "update"]);
    const { stdout } = await stack.previewed(at("localhost", "another"), { diff: false });
    assert.match(stdout, /CustomResourceDefinition op-crd replace\[retain\]/);
    await stack.up(install());
  });

  it("pulumi/pulumi-kubernetes#531, #2882, #3153: destroy leaves the CRD, and the caches of others", async () => {
    const { uid } = (await crd()).metadata;
    await makeOthersCache();
    const cache = await uidOfOthersCache();
    assert.equal(stack.resource("v1:CustomResourceDefinition", "op-crd").retainOnDelete, true);
    await stack.destroy();
    assert.deepEqual(stack.resources(), []);
    assert.equal((await crd()).metadata.uid, uid);
    assert.equal(await uidOfOthersCache(), cache);
  });
});
