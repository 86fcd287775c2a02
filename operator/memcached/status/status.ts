import { type Condition, type Memcached, type MemcachedStatus, withDefaults } from "../../../api";
import { selectorText } from "../labels";
import type { ObservedPod } from "../types";
import { conditionsOf } from "./conditions";
import type { Situation } from "./situation";

/**
 * The whole status for a situation; undefined when none is to be written. A condition keeps its lastTransitionTime until its
 * status changes; conditions that others have added stay.
 */
export function statusOf(
  memcached: Memcached,
  situation: Situation,
  pods: ObservedPod[],
  now: Date,
): MemcachedStatus | undefined {
  const verdicts = conditionsOf(situation);
  if (!verdicts) return undefined;
  const { name, namespace, generation } = memcached.metadata;
  const before = Array.isArray(memcached.status?.conditions) ? memcached.status.conditions : [];
  const conditions = verdicts.map((verdict): Condition => {
    const last = before.find(({ type }) => type === verdict.type);
    const lastTransitionTime = last?.status === verdict.status ? last.lastTransitionTime : undefined;
    return { ...verdict, observedGeneration: generation, lastTransitionTime: lastTransitionTime ?? timestamp(now) };
  });
  const foreign = before.filter(({ type }) => !verdicts.some((verdict) => verdict.type === type));
  return {
    observedGeneration: generation,
    conditions: [...conditions, ...foreign],
    nodes: pods.map((pod) => pod.metadata.name),
    servers: [`${name}.${namespace}.svc:${withDefaults(memcached.spec).port}`],
    replicas: situation.rollout.replicas,
    readyReplicas: situation.rollout.ready,
    selector: selectorText(name),
  };
}

/** metav1.Time: whole seconds, or the server's answer would differ from what was sent. */
function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}
