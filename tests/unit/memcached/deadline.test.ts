import assert from "node:assert/strict";
import type { Condition } from "../../../api";
import { deadlineOf, lastStep } from "../../../operator/memcached/status/rollout";
import type { ObservedPod } from "../../../operator/memcached/types";
import type { KubeObject } from "../../../operator/runtime";
import { memcached, pod } from "./fixtures";
import { World } from "./world";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000);
const time = (second: number) => at(second).toISOString();
const progressing = (status: "True" | "False", reason: string, second: number, observedGeneration = 1): Condition => ({
  ...{ type: "Progressing", status, reason, message: "", observedGeneration },
  lastTransitionTime: time(second),
});

describe("the deadline of a change", () => {
  it("is ten minutes from the flip of Progressing, or from the last step since", () => {
    const rolling = progressing("True", "RollingOut", 0);
    assert.equal(deadlineOf(rolling, 1, 0, at(599)), 1_000);
    assert.equal(deadlineOf(rolling, 1, 0, at(600)), "late");
    assert.equal(deadlineOf(rolling, 1, at(400).getTime(), at(600)), 400_000, "a pod came at 400 s");
    assert.equal(deadlineOf(rolling, 1, at(400).getTime(), at(1_000)), "late");
  });

  it("begins when a change does", () => {
    assert.equal(deadlineOf(undefined, 1, 0, at(5_000)), 600_000);
    assert.equal(deadlineOf(progressing("False", "RolloutComplete", 0), 1, 0, at(5_000)), 600_000);
  });

  it("once missed stays so, until something moves or another generation is wanted", () => {
    const missed = progressing("False", "ProgressDeadlineExceeded", 600);
    assert.equal(deadlineOf(missed, 1, at(300).getTime(), at(9_000)), "late");
    assert.equal(deadlineOf(missed, 1, at(8_900).getTime(), at(9_000)), 500_000);
    assert.equal(deadlineOf(missed, 2, at(300).getTime(), at(9_000)), 600_000);
  });

  it("counts a pod's making, and that it became ready, but not that it ceased to be", () => {
    const made: ObservedPod = pod("cache-0", "s-1");
    made.metadata.creationTimestamp = time(10);
    const ready = (status: string) => ({ type: "Ready", status, lastTransitionTime: time(20) });
    assert.equal(lastStep([undefined], [{ ...made, status: { conditions: [ready("False")] } }]), at(10).getTime());
    assert.equal(lastStep([undefined], [{ ...made, status: { conditions: [ready("True")] } }]), at(20).getTime());
    assert.equal(lastStep([], []), 0);
  });

  for (const workload of ["StatefulSet", "Deployment"] as const)
    it(`makes a ${workload} that comes no further degraded at that moment, without a request before or after`, async () => {
      const world = new World();
      world.memcacheds.put(memcached({ size: 2, workload }) as KubeObject);
      await world.pass();
      const store = workload === "StatefulSet" ? world.statefulSets : world.deployments;
      const key = { namespace: "shop", name: "cache" };
      store.put({ ...store.get(key), status: { observedGeneration: 1, replicas: 2, updatedReplicas: 2 } } as never);
      world.now = 1_000;
      await world.pass();
      world.take();
      // The controller comes back at the earliest of what passes asked for.
      for (;;) {
        const { requeueAfterMs } = (await world.pass()) ?? {};
        if (world.calls.length > 0 || requeueAfterMs === undefined) break;
        world.now += requeueAfterMs;
      }
      assert.deepEqual(world.take(), ["status"]);
      assert.equal(Math.round((world.now - 1_000) / 1_000), 600);
      assert.deepEqual(world.status, [
        "Available=False ProgressDeadlineExceeded",
        "Progressing=False ProgressDeadlineExceeded",
        "Degraded=True ProgressDeadlineExceeded",
        "Ready=False ProgressDeadlineExceeded",
      ]);
      assert.deepEqual(world.events, ["Warning ProgressDeadlineExceeded"]);
      assert.equal(await world.pass(), undefined, "nothing more is to come by itself");
      world.now += 3_600_000;
      await world.pass();
      assert.deepEqual(world.take(), []);
    });
});
