import { type Condition, type Memcached, type MemcachedStatus, serverAddresses, withDefaults } from "../../../api";
import { type NewCondition, setCondition } from "../../runtime";
import { selectorText } from "../labels";
import type { ObservedPod } from "../types";
import { conditionsTable } from "./conditionsTable";
import { type ObservedState, type Problem, problemsOf } from "./observedState";
import { withSecrets } from "./secretsCondition";

/**
 * The status for an observed state; undefined if none is to be written. A condition keeps its lastTransitionTime until its status
 * changes, and conditions that others have added stay.
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
 * Addresses for clients: see `serverAddresses`. A StatefulSet's servers are listed whether ready or not, because a client without
 * one of them would hash its keys to others. While one workload replaces the other, the old servers are listed. None without our
 * Service: the names of another Service resolve to something else.
 */
function serversOf(
  { metadata, spec }: Memcached,
  { size, workload, former, serviceExists }: ObservedState,
  clusterDomain: string,
): string[] {
  if (!serviceExists) return [];
  const { name, namespace = "" } = metadata;
  const serving = { workload: former?.kind ?? workload, size: former?.size ?? size };
  return serverAddresses({ name, namespace, clusterDomain }, { ...serving, port: withDefaults(spec).port });
}

/** The four conditions for an observed state; undefined if nothing is to be written. */
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

/** The values of the `placeholders`. */
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

/** Leaves room for the text around it: a condition's message has at most 32768 characters. */
function joined(problems: Problem[]): string {
  const text = problems.map(({ message }) => message).join("; ");
  return text.length > 8192 ? `${text.slice(0, 8191)}…` : text;
}

function fill(template: string, values: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, word: string) => values[word] ?? "");
}

/** Why the rollout is not complete although enough servers are ready. */
function awaited({ workload, size, former, rollout }: ObservedState): string {
  const { current, updated, replicas, ready } = rollout;
  if (former) {
    const own = Math.max(0, ready - former.ready);
    return own < size
      ? `the ${workload} replaces the ${former.kind}, and ${own} of its ${size} servers are ready`
      : `the ${former.kind} is not deleted yet`;
  }
  if (!current) return `the ${workload}'s controller has not processed the change yet`;
  if (updated < size) return `${updated} of ${size} run the current specification`;
  const old = replicas - size;
  if (old > 0) return `${old} old ${old === 1 ? "server has" : "servers have"} not stopped yet`;
  return `the ${workload}'s rollout is not complete`;
}

/** Whether the status is of this generation: the children were created, or refused. */
export function isGenerationObserved({ metadata, status }: Memcached): boolean {
  return status?.observedGeneration === metadata.generation;
}
