import assert from "node:assert/strict";
import { memcachedCrd } from "../../api";
import { Memcached } from "../../components";
import type { MemcachedArgs } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { until } from "../support/until";
import { crdPath, runOperator } from "./support/operator";
import type { RunningOperator } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

describe("pulumi: waiting for a cache", function () {
  this.timeout(60_000);
  let plane: ControlPlane;
  let namespace: string;
  let stack: TestStack;

  const cacheOf =
    (args: MemcachedArgs): Program =>
    (provider) => {
      const cache = new Memcached("cache", { name: "cache", namespace, ...args }, { provider });
      return { nodes: cache.nodes };
    };
  const path = () => `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/cache`;
  const get = async () => plane.client.request("GET", path());

  /** Writes the status as an operator that saw this generation would. */
  async function setReady(status: "True" | "False", observedGeneration: number): Promise<void> {
    const condition = { type: "Ready", status, reason: "Test", message: "by hand", observedGeneration };
    const conditions = [{ ...condition, lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const body = { status: { observedGeneration, conditions, nodes: [`generation-${observedGeneration}`] } };
    await plane.client.json("PATCH", `${path()}/status`, body, "application/merge-patch+json");
  }

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "waiting");
    await plane.client.apply(crdPath, memcachedCrd());
    stack = await newStack(plane.kubeconfig, cacheOf({}));
  });
  after(() => stack.remove());

  describe("with no operator", () => {
    afterEach(() => stack.destroy());

    it("pulumi/pulumi-kubernetes#1260, pulumi/pulumi#9822: up fails when readyTimeout is over, and not before", async () => {
      const start = Date.now();
      await assert.rejects(stack.up(cacheOf({ readyTimeout: "5s" })), /timed out waiting for the condition/);
      const seconds = (Date.now() - start) / 1000;
      assert.ok(seconds >= 5 && seconds < 30, `it took ${seconds} s`);
      const { customTimeouts } = stack.resource("v1:Memcached", "cache");
      assert.deepEqual(customTimeouts, { create: 5, update: 5, delete: 300 });
    });

    it("pulumi/pulumi-kubernetes#3318: up is done when the cache is ready, without an annotation of the user's", async () => {
      let done = false;
      const up = stack.up(cacheOf({})).then((result) => ((done = true), result));
      await until("the cache to be there", 20_000, async () => (await get()).code === 200);
      await setReady("False", 1);
      await until("the engine to see that it is not ready", 10_000, () => stack.log().includes("Ready=False"));
      assert.equal(done, false);
      await setReady("True", 1);
      assert.deepEqual((await up).outputs.nodes!.value, ["generation-1"]);
    });

    it("pulumi/pulumi-kubernetes#3980, #4094, #3329: a Ready of the generation before is none", async () => {
      const first = stack.up(cacheOf({ size: 1 }));
      await until("the cache to be there", 20_000, async () => (await get()).code === 200);
      await setReady("True", 1);
      await first;
      let done = false;
      const second = stack.up(cacheOf({ size: 2 })).then((result) => ((done = true), result));
      await until("the engine to see the old generation", 20_000, () => /less than expected 2/.test(stack.log()));
      assert.equal(done, false);
      await setReady("True", 2);
      assert.deepEqual((await second).outputs.nodes!.value, ["generation-2"]);
    });
  });

  describe("with an operator", () => {
    let operator: RunningOperator;
    before(async () => (operator = await runOperator(plane, [namespace])));
    after(() => operator.stop());
    after(() => stack.destroy());

    it("pulumi/pulumi-kubernetes#4521: what changes nothing is not waited for", async () => {
      await stack.up(cacheOf({ size: 1, memory: "1024Mi" }));
      const changes: MemcachedArgs[] = [{ labels: { team: "a" } }, { memory: "1Gi", annotations: { note: "b" } }];
      for (const change of changes) {
        const { summary } = await stack.up(cacheOf({ size: 1, memory: "1024Mi", ...change }));
        assert.equal(summary.resourceChanges!.update, 2);
        const [, seconds] = /v1:Memcached cache updated \(([\d.]+)s\)/.exec(stack.log())!;
        assert.ok(Number(seconds) < 5, `${JSON.stringify(change)} took ${seconds} s`);
      }
    });
  });
});
