import assert from "node:assert/strict";
import { join } from "node:path";
import { stringify } from "yaml";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { builtPackage } from "../support/builtPackage";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { programStack } from "./support/languages";
import type { ProgramStack } from "./support/languages";

describe("pulumi: a program in YAML", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let namespace: string;
  let pluginFolder: string;
  const stacks: ProgramStack[] = [];

  before(async () => {
    pluginFolder = join(await builtPackage(), "dist", "plugin");
    plane = await controlPlane();
    namespace = await newNamespace(plane, "yaml");
    kubelet = startKubelet(plane, [namespace]);
  });
  after(async () => {
    await kubelet.stop();
    for (const { sandbox } of stacks) sandbox.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(kubelet.log());
  });

  const operator = () => ({
    type: "memcached:MemcachedOperator",
    properties: { image: "operator:test", namespace, createNamespace: false, namePrefix: "yaml-" },
  });
  const program = (resources: object, outputs: object = {}) =>
    stringify({
      name: "test",
      runtime: "yaml",
      plugins: { providers: [{ name: "memcached", path: pluginFolder }] },
      resources,
      outputs,
    });
  const wrong = (properties: object) => program({ cache: { type: "memcached:Memcached", properties } });
  async function stackOf(text: string, kubeconfig: string): Promise<ProgramStack> {
    const made = await programStack({ "Pulumi.yaml": text }, { KUBECONFIG: kubeconfig });
    stacks.push(made);
    return made;
  }

  it("installs the operator and creates a cache, finds no changes, and takes both away", async () => {
    const cache = {
      type: "memcached:Memcached",
      properties: {
        ...{ namespace, size: 2, memory: "128Mi", imagePullPolicy: "IfNotPresent", readyTimeout: "60s" },
        rollout: { maxSurge: 0, maxUnavailable: "50%" },
      },
      options: { dependsOn: ["${operator}"] },
    };
    const outputs = { name: "${cache.name}", servers: "${cache.servers}", nodes: "${cache.nodes}" };
    const { stack, resources } = await stackOf(program({ operator: operator(), cache }, outputs), plane.kubeconfig);
    const up = await stack.up();
    const name = up.outputs.name!.value as string;
    assert.match(name, /^cache-[0-9a-f]{8}$/);
    assert.deepEqual(up.outputs.servers!.value, [`${name}.${namespace}.svc.cluster.local:11211`]);
    assert.equal((up.outputs.nodes!.value as string[]).length, 2);
    const path = `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`;
    const { items } = await plane.client.json<{ items: { spec: object }[] }>("GET", path);
    assert.deepEqual(
      items.map(({ spec }) => spec),
      [{ ...items[0]!.spec, size: 2, memory: "128Mi" }],
    );
    await stack.preview({ expectNoChanges: true });
    await stack.refresh({ expectNoChanges: true });
    await stack.destroy();
    assert.deepEqual(resources(), []);
    assert.deepEqual((await plane.client.json<{ items: unknown[] }>("GET", path)).items, []);
  });

  it("pulumi/pulumi-kubernetes#3027: previews without a cluster, and says so once", async () => {
    const cache = { type: "memcached:Memcached", properties: { namespace } };
    const { stack } = await stackOf(program({ operator: operator(), cache }), "/nowhere/kubeconfig");
    const { changeSummary, stdout } = await stack.preview();
    assert.equal((changeSummary as Record<string, number>).create, 19);
    const diagnostics = stdout.split("\nDiagnostics:\n")[1] ?? "";
    assert.equal(diagnostics.split("warning: no cluster was reached").length - 1, 1, stdout);
  });

  it("is refused with every wrong argument named, and what is allowed, before anything is registered", async () => {
    const { stack, write } = await stackOf(wrong({ namespace, size: 101, threads: 0 }), "/nowhere/kubeconfig");
    const failure = await stack.preview().then(
      () => "it was taken",
      (error: Error) => error.message,
    );
    assert.match(failure, /Memcached "cache" is refused: .*size must be at most 100, not 101/);
    assert.match(failure, /threads must be at least 1, not 0/);
    assert.ok(!failure.includes("cache.example.com/v1:Memcached"), "the resource was registered");
    // Pulumi itself knows the names of arguments and the values of enums from the schema.
    write("Pulumi.yaml", wrong({ memoryy: "64Mi" }));
    await assert.rejects(stack.preview(), /memoryy does not exist on 'memcached:index:Memcached'/);
    write("Pulumi.yaml", wrong({ imagePullPolicy: "Sometimes" }));
    await assert.rejects(stack.preview(), /Allowed values are Always/);
  });
});
