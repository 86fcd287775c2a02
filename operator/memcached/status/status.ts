import type { Condition, Memcached, MemcachedStatus } from "../../../api";
import { setCondition } from "../../runtime";
import { selectorText } from "../labels";
import type { ObservedPod } from "../types";
import { serversOf } from "./servers";
import type { ObservedState } from "./observedState";
import { conditionsFor } from "./fillConditions";

/**
 * The whole status for a observed; undefined when none is to be written. A condition keeps its lastTransitionTime until its
 * status changes; conditions that others have added stay.
 */
export function statusOf(
  memcached: Memcached,
  observed: ObservedState,
  pods: ObservedPod[],
  clusterDomain: string,
  now: Date,
): MemcachedStatus | undefined {
  const next = conditionsFor(observed);
  if (!next) return undefined;
  const { name, generation } = memcached.metadata;
  const before: readonly Condition[] = memcached.status?.conditions ?? [];
  const conditions = next.reduce(
    (all, condition) => setCondition(all, { ...condition, observedGeneration: generation }, now),
    before,
  );
  return {
    observedGeneration: generation,
    conditions: [...conditions],
    nodes: pods.map((pod) => pod.metadata.name),
    servers: serversOf(memcached, observed, clusterDomain),
    replicas: observed.rollout.replicas,
    readyReplicas: observed.rollout.ready,
    selector: selectorText(name),
  };
}
