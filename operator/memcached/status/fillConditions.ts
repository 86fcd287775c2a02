import { conditionsTable } from "./conditions";
import { type Problem, type ObservedState, problemsOf } from "./observedState";

/** A condition before it gets its times. */
export interface NewCondition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
}

/** The four conditions for an observed state; undefined when nothing is to be written. */
export function conditionsFor(s: ObservedState): NewCondition[] | undefined {
  const row = conditionsTable.find(({ when }) => when(s));
  if (!row?.conditions) return undefined;
  const words = wordsOf(s);
  return Object.entries(row.conditions).map(([type, [status, reason, message]]) => ({
    type,
    status,
    reason: fill(reason, words),
    message: fill(message, words),
  }));
}

function wordsOf(s: ObservedState): Record<string, string> {
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

function fill(template: string, words: Record<string, string>): string {
  return template.replace(/\{(\w+)\}/g, (_, word: string) => words[word] ?? "");
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
