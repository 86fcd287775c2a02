import type { DefaultedSpec } from "../../../api";
import { onlySurges } from "../children/rollingUpdate";
import type { ObservedState } from "./observedState";

/** What the scheduler says of nodes that would take the new server if an old one went, and what that means here. */
const fullNodes: [words: RegExp, meaning: string][] = [
  [/anti-affinity rules/, "no node is free of a server of this cache"],
  [/topology spread constraints(?! \(missing)/, "one more server of this cache would stand against the spread"],
  [/Insufficient |Too many pods/, "no node has room for one more server of this cache"],
];

/** The scheduler's words when no node would take the pod though all others went. */
const nowhere = /preemption: 0\/(\d+) nodes are available: \1 Preemption is not helpful/;

const quota = /exceeded quota/;

/**
 * The same with the way out, when all that stands in the way of a change is that the Deployment makes a new server before an old one
 * goes: as many servers as wanted are available, so what is missing is one beside them.
 */
export function withSurgeAdvice(observed: ObservedState, spec: DefaultedSpec): ObservedState {
  const { rollout, unschedulable, former, workload, size } = observed;
  const isUp = rollout.current && !rollout.done && rollout.available >= size;
  if (workload !== "Deployment" || former || !isUp || !onlySurges(spec)) return observed;
  const refusal = rollout.replicaFailure;
  if (refusal && quota.test(refusal)) {
    const remedy = "set spec.rollout.maxSurge: 0 and spec.rollout.maxUnavailable: 1, or raise the quota";
    return { ...observed, rollout: { ...rollout, replicaFailure: `${refusal}: ${remedy}` } };
  }
  const words = unschedulable?.message ?? "";
  const meaning = nowhere.test(words) ? undefined : fullNodes.find(([regexp]) => regexp.test(words))?.[1];
  if (!unschedulable || !meaning) return observed;
  // The way out first: the scheduler's words are long.
  const message = `${meaning}: set spec.rollout.maxUnavailable: 1, by which one server with its items is away at a time (${words.replace(/\.$/, "")})`;
  return { ...observed, unschedulable: { ...unschedulable, message } };
}
