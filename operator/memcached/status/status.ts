import type { Condition, Memcached, MemcachedStatus } from "../../../api";
import { setCondition } from "../../runtime";
import { selectorText } from "../labels";
import type { ObservedPod } from "../types";
import { serversOf } from "./servers";
import type { Situation } from "./situation";
import { conditionsOf } from "./verdicts";

/**
 * The whole status for a situation; undefined when none is to be written. A condition keeps its lastTransitionTime until its
 * status changes; conditions that others have added stay.
 */
export function statusOf(
  memcached: Memcached,
  situation: Situation,
  pods: ObservedPod[],
  clusterDomain: string,
  now: Date,
): MemcachedStatus | undefined {
  const verdicts = conditionsOf(situation);
  if (!verdicts) return undefined;
  const { name, generation } = memcached.metadata;
  const before: readonly Condition[] = memcached.status?.conditions ?? [];
  const conditions = verdicts.reduce(
    (all, verdict) => setCondition(all, { ...verdict, observedGeneration: generation }, now),
    before,
  );
  return {
    observedGeneration: generation,
    conditions: [...conditions],
    nodes: pods.map((pod) => pod.metadata.name),
    servers: serversOf(memcached, situation, clusterDomain),
    replicas: situation.rollout.replicas,
    readyReplicas: situation.rollout.ready,
    selector: selectorText(name),
  };
}
