import type { SecretReport } from "../secrets/check";
import type { WorkloadKind } from "../types";
import type { Rollout } from "./rollout";

/** A problem, with the message of whoever reports it. */
export interface Problem {
  reason: string;
  message: string;
}

/** A problem, if there is one now, and the milliseconds until that changes without any event. */
export interface Timed {
  problem?: Problem;
  changesInMs?: number;
}

/** Everything that the conditions depend on. */
export interface ObservedState {
  name: string;
  /** Desired servers. */
  size: number;
  /** Desired kind of workload. */
  workload: WorkloadKind;
  /** The old workload after a change of spec.workload, until the new one has replaced it. */
  former?: { kind: WorkloadKind; size: number; ready: number };
  /** What is being deleted, so that nothing more is written. */
  terminating?: "memcached" | "namespace";
  /** The spec cannot be turned into children. */
  invalid?: Problem;
  /** The workload cannot be applied. */
  workloadProblem?: Problem;
  /** Our workload of the desired kind exists. */
  workloadExists: boolean;
  /** The workload's replicas are not yet the desired ones. */
  resizing: boolean;
  /** Another child, or a Secret that the spec names, has a problem. */
  otherProblem?: Problem;
  /** The result of checking the Secrets that the spec names, if there are any. */
  secrets?: SecretReport;
  /** Our Service exists. */
  serviceExists: boolean;
  /** The old workload cannot be deleted. */
  formerProblem?: Problem;
  /** What a child waits for before it can be written; nobody has to act. */
  waitingFor?: string;
  rollout: Rollout;
  podFailure?: Problem;
  /** Pods of the current specification fail, and so do their replacements. */
  podsFail?: Problem;
  /** A pod that does not terminate, so that it is not replaced. */
  podTerminating?: Problem;
  /** A person has paused the rollout. */
  paused?: string;
  unschedulable?: Problem;
  /** Why the first pod that is not ready is not. */
  unready?: Problem;
  /** The Service has no address from a load balancer yet. */
  addressAwaited?: string;
}

/** All problems, the most serious first. */
export function problemsOf(s: ObservedState): Problem[] {
  const { rollout } = s;
  const pods = rollout.done ? undefined : s.podFailure;
  const terminating = rollout.done ? undefined : s.podTerminating;
  const paused = s.paused && { reason: "RolloutPaused", message: s.paused };
  const creation = rollout.replicaFailure && { reason: "ReplicaFailure", message: rollout.replicaFailure };
  const late = rollout.deadlineExceeded && {
    reason: "ProgressDeadlineExceeded",
    message: [rollout.deadlineExceeded, waitsFor(s)].filter(Boolean).join(" "),
  };
  const children = [s.invalid, s.workloadProblem, s.otherProblem, s.formerProblem];
  const all = [...children, pods, s.podsFail, terminating, creation, late, paused];
  return all.filter((problem): problem is Problem => typeof problem === "object");
}

/** What a rollout waits for. */
function waitsFor({ waitingFor, unschedulable, podFailure, podsFail, unready, addressAwaited }: ObservedState) {
  return (
    waitingFor ?? unschedulable?.message ?? ((podFailure ?? podsFail) ? undefined : unready?.message) ?? addressAwaited
  );
}

/** Whether enough servers are available. */
export function serversUp({ rollout, size, former }: ObservedState): boolean {
  return (rollout.seen || former !== undefined) && rollout.available >= size;
}
