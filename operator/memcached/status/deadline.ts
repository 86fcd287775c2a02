import type { Condition } from "../../../api";
import type { KubeObject } from "../../runtime";
import type { ObservedPod } from "../types";

/** How long a change may come no further: what Kubernetes gives a Deployment, too. */
const deadlineMs = 600_000;

/** Late, or how many milliseconds are left. */
export type Deadline = "late" | number;

/**
 * How a change that is not through stands to the deadline. It has come further when a pod was made or became ready: times that are
 * all in the cluster, so that a restart of the operator gives no respite. `progressing` is the condition as it was written last.
 */
export function deadlineOf(
  progressing: Condition | undefined,
  generation: number | undefined,
  steps: number,
  now: Date,
): Deadline {
  const flippedAt = progressing ? Date.parse(progressing.lastTransitionTime) : NaN;
  const isLate = progressing?.reason === "ProgressDeadlineExceeded" && progressing.observedGeneration === generation;
  // Its own condition stands until something moves.
  if (isLate && !(steps > flippedAt)) return "late";
  const begun = progressing?.status === "True" ? flippedAt : isLate ? steps : now.getTime();
  const leftMs = Math.max(begun, steps) + deadlineMs - now.getTime();
  return leftMs > 0 ? Math.ceil(leftMs) : "late";
}

/** When the last step was made that can be seen: the children's and the pods' making, and pods that became ready. */
export function lastStep(children: (KubeObject | undefined)[], pods: ObservedPod[]): number {
  const times = [...children, ...pods].map((object) => object?.metadata.creationTimestamp);
  const readied = pods.flatMap(({ status }) => status?.conditions ?? []).filter(isReady);
  return [...times, ...readied.map(({ lastTransitionTime }) => lastTransitionTime)]
    .map((time) => (time === undefined ? 0 : Date.parse(time)))
    .reduce((a, b) => Math.max(a, b), 0);
}

const isReady = ({ type, status }: { type: string; status: string }): boolean => type === "Ready" && status === "True";

/** What a Deployment's controller says of a ReplicaSet, said of all that can be late. */
export function lateMessage(pods: ObservedPod[], size: number): string {
  return pods.length < size
    ? `No progress for 10 minutes, with ${pods.length} of ${size} servers there.`
    : "No progress for 10 minutes.";
}
