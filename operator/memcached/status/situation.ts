import type { PodFailure } from "./pods";
import type { Rollout } from "./rollout";

/** Something that stands in the way, in the words of who says so. */
export interface Problem {
  reason: string;
  message: string;
}

/** Everything the conditions depend on. */
export interface Situation {
  name: string;
  /** Servers wanted. */
  size: number;
  /** Nothing is written any more, and why. */
  ending?: "deleted" | "namespace";
  /** The spec cannot be turned into children. */
  invalid?: Problem;
  /** The Deployment cannot be what it should be. */
  deploymentProblem?: Problem;
  /** There is a Deployment of ours. */
  deploymentExists: boolean;
  /** The Deployment's replicas are not yet what is wanted. */
  resizing: boolean;
  serviceProblem?: Problem;
  /** What has to go, or to come, before a child can be written; no one has to act. */
  waitingFor?: string;
  rollout: Rollout;
  podFailure?: PodFailure;
  unschedulable?: PodFailure;
}

/** All that stands in the way, the gravest first. */
export function problemsOf(s: Situation): Problem[] {
  const { rollout } = s;
  const pods = rollout.done ? undefined : s.podFailure;
  const creation = rollout.replicaFailure && { reason: "ReplicaFailure", message: rollout.replicaFailure };
  const late = rollout.deadlineExceeded && {
    reason: "ProgressDeadlineExceeded",
    message: [rollout.deadlineExceeded, s.unschedulable?.message].filter(Boolean).join(" "),
  };
  return [s.invalid, s.deploymentProblem, s.serviceProblem, pods, creation, late].filter(
    (problem): problem is Problem => typeof problem === "object",
  );
}

/** As many servers are available as are wanted. */
export function serversUp({ rollout, size }: Situation): boolean {
  return rollout.seen && rollout.available >= size;
}
