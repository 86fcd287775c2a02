import assert from "node:assert/strict";
import { missingPods } from "../../../operator/memcached/status/missingPods";
import type { ObservedWorkload } from "../../../operator/memcached/types";
import { ApiError, type Client, type KubeObject } from "../../../operator/runtime";

const signal = new AbortController().signal;

function statefulSet(replicas: number, observedGeneration = 1): ObservedWorkload {
  const metadata = { name: "cache", namespace: "shop", uid: "s-1", generation: 1 };
  return {
    apiVersion: "apps/v1",
    kind: "StatefulSet",
    metadata,
    spec: { replicas: 3 },
    status: { observedGeneration, replicas },
  };
}

const event = (note: string, deprecatedLastTimestamp: string) =>
  ({
    apiVersion: "events.k8s.io/v1",
    kind: "Event",
    metadata: { name: note },
    note,
    deprecatedLastTimestamp,
  }) as KubeObject;

describe("pods that a StatefulSet's controller cannot create", () => {
  let now = 0;
  let asked = 0;
  const refusals = (list: () => Promise<KubeObject[]>) => {
    now = asked = 0;
    const items = async () => {
      asked++;
      return { items: await list(), resourceVersion: "1" };
    };
    const client = { list: items as unknown as Client["list"] };
    const state = {};
    return (workload: ObservedWorkload | undefined) => missingPods(workload, state, client, now, signal);
  };

  it("are asked for only when pods have been missing for a second: a new one costs nothing", async () => {
    const of = refusals(async () => []);
    for (const workload of [undefined, statefulSet(0, 0), statefulSet(3), statefulSet(4)])
      assert.deepEqual(await of(workload), {});
    assert.deepEqual(await of(statefulSet(1)), { retryAfterMs: 1_000 });
    now = 500;
    assert.deepEqual(await of(statefulSet(3)), {});
    now = 1_200;
    assert.deepEqual(await of(statefulSet(2)), { retryAfterMs: 1_000 });
    assert.equal(asked, 0);
  });

  it("are told in its latest words", async () => {
    const of = refusals(async () => [
      event("quota b", "2026-01-01T00:00:02Z"),
      event("quota a", "2026-01-01T00:00:01Z"),
    ]);
    await of(statefulSet(0));
    now = 1_000;
    const { problem } = await of(statefulSet(0));
    assert.deepEqual(problem, { reason: "ReplicaFailure", message: "quota b" });
  });

  it("are no failure of the pass when events may not be read", async () => {
    const of = refusals(() => Promise.reject(new ApiError(403, "Forbidden", "no")));
    await of(statefulSet(0));
    now = 1_000;
    assert.deepEqual(await of(statefulSet(0)), { retryAfterMs: 5_000 });
  });
});
