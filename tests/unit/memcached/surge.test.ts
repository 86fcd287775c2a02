import assert from "node:assert/strict";
import { type MemcachedSpec, withDefaults } from "../../../api";
import type { ObservedState } from "../../../operator/memcached/status/observedState";
import { withSurgeAdvice } from "../../../operator/memcached/status/rollout";
import { deployment } from "../../../operator/memcached/children/deployment";
import { environment, memcached, rollout, observedState } from "./fixtures";

const strategy = (given: MemcachedSpec) =>
  (deployment.body(memcached(given), environment) as unknown as { spec: { strategy: object } }).spec.strategy;

describe("spec.rollout", () => {
  const cases: [MemcachedSpec["rollout"], number | string, number | string][] = [
    [undefined, 1, 0],
    [{}, 1, 0],
    [{ maxUnavailable: 1 }, 1, 1],
    [{ maxSurge: 0, maxUnavailable: "1" }, 0, 1],
    [{ maxSurge: "25%", maxUnavailable: "0" }, "25%", 0],
  ];
  for (const [given, maxSurge, maxUnavailable] of cases)
    it(`${JSON.stringify(given)} is what the Deployment does`, () =>
      assert.deepEqual(strategy({ rollout: given }), {
        type: "RollingUpdate",
        rollingUpdate: { maxSurge, maxUnavailable },
      }));
});

describe("a rollout whose new server finds no place", () => {
  const preemption = "preemption: 0/3 nodes are available: 3 No preemption victims found for incoming pod.";
  const unschedulable = (reason: string, more = preemption) => ({
    reason: "Unschedulable",
    message: `pod cache-4: 0/3 nodes are available: 3 ${reason}. ${more}`,
  });
  const antiAffinity = unschedulable("node(s) didn't match pod anti-affinity rules");
  const up = rollout({ replicas: 4, updated: 1, ready: 3, available: 3 });
  const refused =
    'pods "cache-4" is forbidden: exceeded quota: small, requested: pods=1, used: pods=3, limited: pods=3';
  const words = (changes: Partial<ObservedState>, spec: MemcachedSpec = {}) => {
    const result = withSurgeAdvice(observedState({ rollout: up, ...changes }), withDefaults({ size: 3, ...spec }));
    return result.rollout.replicaFailure ?? result.unschedulable?.message ?? "";
  };

  for (const [reason, meaning] of [
    ["node(s) didn't match pod anti-affinity rules", "every node already runs a server of this cache"],
    ["node(s) didn't satisfy existing pods anti-affinity rules", "every node already runs a server of this cache"],
    [
      "node(s) didn't match pod topology spread constraints",
      "an additional server would violate the topology spread constraints",
    ],
    ["Insufficient memory", "no node has room for an additional server of this cache"],
    ["Too many pods", "no node has room for an additional server of this cache"],
  ] as const)
    it(`zalando/postgres-operator#1600: is told what to set (${reason})`, () =>
      assert.ok(
        words({ unschedulable: unschedulable(reason) }).startsWith(
          `${meaning}: set spec.rollout.maxUnavailable to 1, so that one server at a time is unavailable with its items (pod `,
        ),
      ));

  it("is told what to set when a quota refuses it", () =>
    assert.equal(
      words({ rollout: rollout({ replicas: 3, ready: 3, available: 3, replicaFailure: refused }) }),
      `${refused}: set spec.rollout.maxSurge to 0 and spec.rollout.maxUnavailable to 1, or raise the quota`,
    ));

  const others: [string, Partial<ObservedState>, MemcachedSpec?][] = [
    ["that has never had its servers up", { rollout: rollout({ replicas: 3, updated: 3, available: 2 }) }],
    ["whose servers of before are not up either", { rollout: rollout({ replicas: 4, updated: 1, available: 0 }) }],
    ["that may take a server away already", {}, { rollout: { maxUnavailable: 1 } }],
    ["whose percentages leave no room for a surge", {}, { rollout: { maxSurge: "0%", maxUnavailable: "25%" } }],
    ["that takes over from a StatefulSet", { former: { kind: "StatefulSet", size: 3, ready: 3 } }],
    ["that is a StatefulSet", { workload: "StatefulSet" }, { workload: "StatefulSet" }],
    ["that no node would take", { unschedulable: unschedulable("node(s) didn't match Pod's node affinity/selector") }],
    [
      "that is larger than every node",
      {
        unschedulable: unschedulable(
          "Insufficient memory",
          "preemption: 0/3 nodes are available: 3 Preemption is not helpful for scheduling.",
        ),
      },
    ],
    [
      "whose nodes lack the label to spread by",
      { unschedulable: unschedulable("node(s) didn't match pod topology spread constraints (missing required label)") },
    ],
  ];
  for (const [which, changes, spec] of others)
    it(`is told nothing of the kind of a cache ${which}`, () =>
      assert.doesNotMatch(words({ unschedulable: antiAffinity, ...changes }, spec), /spec\.rollout/));

  it("is told so of a share that comes to no whole server", () =>
    assert.match(words({ unschedulable: antiAffinity }, { rollout: { maxUnavailable: "25%" } }), /spec\.rollout/));
});
