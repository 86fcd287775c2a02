import { type Condition, type Memcached, type MemcachedStatus, serverAddresses, withDefaults } from "../../../api";
import { type NewCondition, setCondition } from "../../runtime";
import { selectorText } from "../labels";
import type { ObservedPod } from "../types";
import { conditionsTable } from "./conditionsTable";
import { type ObservedState, type Problem, problemsOf } from "./observedState";
import { withSecrets } from "./secretsCondition";

/**
 * The whole status of an observed state; undefined when none is to be written. A condition keeps its lastTransitionTime until its
 * status changes; conditions that others have added stay.
 */
export function statusOf(
  memcached: Memcached,
  observed: ObservedState,
  pods: ObservedPod[],
  clusterDomain: string,
  now: Date,
): MemcachedStatus | undefined {
  const conditions = conditionsFor(observed);
  if (!conditions) return undefined;
  const { name, generation } = memcached.metadata;
  const { next, before } = withSecrets(conditions, memcached.status?.conditions ?? [], observed);
  const set = (all: readonly Condition[], condition: NewCondition) =>
    setCondition(all, { ...condition, observedGeneration: generation }, now);
  return {
    observedGeneration: generation,
    conditions: [...next.reduce(set, before)],
    nodes: pods.map((pod) => pod.metadata.name),
    servers: serversOf(memcached, observed, clusterDomain),
    replicas: observed.rollout.replicas,
    readyReplicas: observed.rollout.ready,
    selector: selectorText(name),
  };
}

/**
 * What clients connect to: see `serverAddresses`. Servers of a StatefulSet are there ready or not, since a client that loses one from its
 * list hashes its keys elsewhere. While one workload takes over from the other, those of before. Nothing without a Service of ours: under
 * a foreign one the names lead elsewhere.
 */
function serversOf(
  { metadata, spec }: Memcached,
  { size, workload, former, serviceExists }: ObservedState,
  clusterDomain: string,
): string[] {
  if (!serviceExists) return [];
  const { name, namespace = "" } = metadata;
  const serving = former ?? { kind: workload, size };
  const { port } = withDefaults(spec);
  return serverAddresses({ name, namespace, clusterDomain }, { workload: serving.kind, size: serving.size, port });
}

/** The four conditions for an observed state; undefined when nothing is to be written. */
export function conditionsFor(s: ObservedState): NewCondition[] | undefined {
  const row = conditionsTable.find(({ when }) => when(s));
  if (!row?.conditions) return undefined;
  const values = valuesOf(s);
  return Object.entries(row.conditions).map(([type, [status, reason, message]]) => ({
    type,
    status,
    reason: fill(reason, values),
    message: fill(message, values),
  }));
}

/** What the words in braces stand for; see `placeholders`. */
function valuesOf(s: ObservedState): Record<string, string> {
  const { updated, available, ready } = s.rollout;
  const [first, ...more] = problemsOf(s);
  const error = first ? joined([first, ...more]) : (s.waitingFor ?? s.unschedulable?.message ?? s.addressAwaited ?? "");
  return {
    name: s.name,
    workload: s.workload,
    serving: s.former?.kind ?? s.workload,
    size: String(s.size),
    updated: String(Math.min(updated, s.size)),
    available: String(Math.min(available, s.size)),
    ready: String(Math.min(ready, s.size)),
    reason: first?.reason ?? "Unknown",
    error,
    awaited: awaited(s),
  };
}

/** Room is left for the sentence around it: a condition's message ends at 32768 characters. */
function joined(problems: Problem[]): string {
  const text = problems.map(({ message }) => message).join("; ");
  return text.length > 8192 ? `${text.slice(0, 8191)}…` : text;
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
}

/** Why the change is not through although enough servers are ready. */
function awaited({ workload, size, former, rollout }: ObservedState): string {
  const { current, updated, replicas, ready } = rollout;
  if (former) {
    const own = Math.max(0, ready - former.ready);
    return own < size
      ? `the ${workload} takes over from the ${former.kind}, and ${own} of its own ${size} are ready`
      : `the ${former.kind} has yet to go`;
  }
  if (!current) return `the ${workload}'s controller has yet to take the change up`;
  if (updated < size) return `${updated} of ${size} run the current specification`;
  if (replicas > size) return `${replicas - size} of before ${replicas - size === 1 ? "has" : "have"} yet to go`;
  return `the ${workload}'s rollout is not through`;
}

/** Whether its status is of this generation: its children have been there, or were refused. */
export function isGenerationObserved({ metadata, status }: Memcached): boolean {
  return status?.observedGeneration === metadata.generation;
}
