import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ConfigMap } from "@pulumi/kubernetes/core/v1";
import { all, output, unknown } from "@pulumi/pulumi";
import type { Output } from "@pulumi/pulumi";
import type { EngineEvent, PreviewOptions } from "@pulumi/pulumi/automation";
import { Memcached } from "../../components";
import type { MemcachedArgs } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";
import { runOperator } from "./support/operator";
import type { RunningOperator } from "./support/operator";

/** What the engine shows in the place of a value that it does not know yet. */
const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

interface ConfigMapInputs {
  data: { taken: string };
}

describe("pulumi: a cache's addresses in previews", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let namespace: string;
  let operator: RunningOperator;
  let dir: string;
  let kubeconfig: string;
  let stack: TestStack;

  /** A cache, and a ConfigMap that is replaced when what it takes of the cache changes. */
  const program =
    (args: MemcachedArgs, taken: (cache: Memcached) => Output<unknown> = ({ servers }) => servers): Program =>
    (provider) => {
      const cache = new Memcached("c", { name: "c", namespace, readyTimeout: "60s", ...args }, { provider });
      const data = { taken: taken(cache).apply(String) };
      new ConfigMap("settings", { immutable: true, metadata: { namespace }, data }, { provider });
      return { servers: cache.servers };
    };
  const stateful = (size: number, more: MemcachedArgs = {}): MemcachedArgs => {
    return { workload: "StatefulSet", size, memory: "64Mi", ...more };
  };
  const host = () => `c.${namespace}.svc.cluster.local`;
  const servers = (size: number, port = 11211) =>
    Array.from({ length: size }, (_, i) => `c-${i}.${host()}:${port}`).join(",");

  /** What a preview does with the ConfigMap, and what that then holds. */
  const previewed = async (next: Program, options: PreviewOptions = {}) => {
    const steps: { op: string; taken: string }[] = [];
    const onEvent = ({ resourcePreEvent }: EngineEvent) => {
      const step = resourcePreEvent?.metadata;
      if (step?.new && step.urn.endsWith("ConfigMap::settings"))
        steps.push({ op: step.op, taken: (step.new.inputs as ConfigMapInputs).data.taken });
    };
    await stack.previewed(next, { ...options, onEvent });
    return steps.at(-1);
  };
  const held = () => (stack.resource("v1:ConfigMap", "settings").inputs as ConfigMapInputs).data.taken;

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "addresses");
    operator = await runOperator(plane, [namespace]);
    dir = mkdtempSync(join(tmpdir(), "addresses-"));
    // A copy, so that a test can have it lead nowhere and the provider's arguments stay what they are.
    kubeconfig = join(dir, "kubeconfig");
    writeFileSync(kubeconfig, readFileSync(plane.kubeconfig));
    stack = await newStack(kubeconfig, () => ({}));
    await stack.up(program(stateful(2)));
  });
  after(() => operator.stop());
  after(async () => {
    await stack.destroy();
    stack.remove();
    rmSync(dir, { recursive: true });
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(stack.log(), operator.log());
  });

  const changes: [what: string, args: MemcachedArgs, after: () => string][] = [
    ["the size of a StatefulSet", stateful(3), () => servers(3)],
    ["the port", stateful(3, { port: 11311 }), () => servers(3, 11311)],
    ["the workload", { ...stateful(3, { port: 11311 }), workload: "Deployment" }, () => `${host()}:11311`],
  ];
  for (const [what, args, after] of changes)
    it(`pulumi/pulumi#3190, #7181: a change of ${what} previews the addresses that the update gives`, async () => {
      const plan = join(dir, "plan.json");
      assert.deepEqual(await previewed(program(args), { plan }), { op: "replace", taken: after() });
      await stack.up(undefined, { plan });
      assert.equal(held(), after());
      const cache = stack.resource("v1:Memcached", "c");
      assert.deepEqual(stack.resource("v1:ConfigMap", "settings").dependencies, [cache.urn]);
      await stack.noChanges();
    });

  it("pulumi/pulumi#3190, #7181: other changes leave the addresses known, without a cluster and with unknown arguments", async () => {
    const now: MemcachedArgs = { ...stateful(3, { port: 11311 }), workload: "Deployment" };
    const taken = ({ host, port, servers }: Memcached) => all([host, port, servers]);
    await stack.up(program(now, taken));
    const same = { op: "same", taken: `${host()},11311,${host()}:11311` };
    const changed = (memory: MemcachedArgs["memory"]) => program({ ...now, memory }, taken);
    assert.deepEqual(await previewed(changed("128Mi")), same);
    assert.deepEqual(await previewed(changed(output(unknown) as never)), same);
    writeFileSync(kubeconfig, readFileSync(plane.kubeconfig, "utf8").replaceAll(plane.url, "https://127.0.0.1:1"));
    try {
      assert.deepEqual(await previewed(changed("128Mi")), same);
    } finally {
      writeFileSync(kubeconfig, readFileSync(plane.kubeconfig));
    }
  });

  it("previews as unknown what only the cluster can tell: the pods, and a size that is no longer given", async () => {
    await stack.up(program(stateful(2), ({ servers, nodes }) => all([servers, nodes])));
    const unsized: MemcachedArgs = { ...stateful(2), size: undefined };
    assert.deepEqual(await previewed(program(unsized)), { op: "replace", taken: UNKNOWN });
    assert.deepEqual(await previewed(program(stateful(2, { memory: "128Mi" }), ({ nodes }) => nodes)), {
      op: "replace",
      taken: UNKNOWN,
    });
    await stack.up(program(unsized));
    assert.equal(held(), servers(2));
    await stack.noChanges();
  });

  it("fails where the operator takes another domain for the cluster's, and says what to set", async () => {
    await assert.rejects(
      stack.up(program(stateful(2, { clusterDomain: "cluster.example.com" }))),
      /clusterDomain is "cluster\.example\.com", but the operator uses "cluster\.local".*give clusterDomain "cluster\.local", or/,
    );
    assert.equal(held(), servers(2));
  });
});
