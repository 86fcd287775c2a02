import type { SecretReport } from "../secrets/check";
import type { WorkloadKind } from "../types";
import type { Rollout } from "./rollout";

/** Something that stands in the way, in the words of who says so. */
export interface Problem {
  reason: string;
  message: string;
}

/** What stands in the way now, and in how many milliseconds that is otherwise although nothing happens. */
export interface Timed {
  problem?: Problem;
  changesInMs?: number;
}

/** Everything the conditions depend on. */
export interface ObservedState {
  name: string;
  /** Servers, as desired. */
  size: number;
  /** What runs the servers, as desired. */
  workload: WorkloadKind;
  /** What ran them before, and still does until the workload takes over. */
  former?: { kind: WorkloadKind; size: number; ready: number };
  /** What is being deleted, so that nothing is written any more. */
  terminating?: "memcached" | "namespace";
  /** The spec cannot be turned into children. */
  invalid?: Problem;
  /** The workload cannot be what it should be. */
  workloadProblem?: Problem;
  /** There is a workload of ours, of the desired kind. */
  workloadExists: boolean;
  /** The workload's replicas are not yet the desired ones. */
  resizing: boolean;
  /** A child beside the workload cannot be what it should be: the Service, the PodDisruptionBudget, the NetworkPolicy, or a Secret that the spec names. */
  otherProblem?: Problem;
  /** What there is to say of the Secrets that the spec names, if it names any. */
  secrets?: SecretReport;
  /** There is a Service of ours. */
  serviceExists: boolean;
  /** The workload of before cannot be removed. */
  formerProblem?: Problem;
  /** What has to go, or to come, before a child can be written; no one has to act. */
  waitingFor?: string;
  rollout: Rollout;
  podFailure?: Problem;
  /** Pods of the current specification end, and those in their place do so again. */
  podsFail?: Problem;
  /** A pod that should be gone and is not, so that none takes its place. */
  podTerminating?: Problem;
  /** A person has paused the rollout, and the change waits for them. */
  paused?: string;
  unschedulable?: Problem;
  /** What the first pod that is not ready says of it. */
  unready?: Problem;
  /** The Service should have an address of a load balancer, and has none. */
  addressAwaited?: string;
}

/** All that stands in the way, the gravest first. */
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
  const those = [s.invalid, s.workloadProblem, s.otherProblem, s.formerProblem];
  return [...those, pods, s.podsFail, terminating, creation, late, paused].filter(
    (problem): problem is Problem => typeof problem === "object",
  );
}

/** What a rollout waits for, in the words of who knows. */
function waitsFor({ waitingFor, unschedulable, podFailure, podsFail, unready, addressAwaited }: ObservedState) {
  return (
    waitingFor ?? unschedulable?.message ?? ((podFailure ?? podsFail) ? undefined : unready?.message) ?? addressAwaited
  );
}

/** As many servers are available as are desired. */
export function serversUp({ rollout, size, former }: ObservedState): boolean {
  return (rollout.seen || former !== undefined) && rollout.available >= size;
}
