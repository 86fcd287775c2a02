import type { Condition, DefaultedSpec } from "../../../api";
import { type KubeObject, findCondition } from "../../runtime";
import { onlySurges } from "../fields/rollout";
import { controllerOf } from "../owner";
import type { ObservedCondition, ObservedPod, ObservedWorkload, WorkloadKind } from "../types";
import type { ObservedState } from "./observedState";
import { latest } from "./pods";

/** Progress of a workload, counted like `kubectl rollout status`. */
export interface Rollout {
  replicas: number;
  updated: number;
  ready: number;
  available: number;
  /** Its controller has processed it at least once. */
  seen: boolean;
  /** Its status is of the current generation. */
  current: boolean;
  /** All desired servers run the current specification and are available, and no old one is left. */
  done: boolean;
  /** The controller's message after progressDeadlineSeconds. */
  deadlineExceeded?: string;
  /** The API server's message if pods could not be created. */
  replicaFailure?: string;
}

export const nothingRolledOut: Rollout = {
  replicas: 0,
  updated: 0,
  ready: 0,
  available: 0,
  seen: false,
  current: false,
  done: false,
};

/**
 * Reads the workload's status. The response to our last apply is already in the store, so the generation is never older than our
 * last write.
 */
export function rolloutOf(
  kind: WorkloadKind,
  { metadata, status = {} }: { metadata: { generation?: number }; status?: ObservedWorkload["status"] },
  size: number,
): Rollout {
  const replicas = status.replicas ?? 0;
  const updated = status.updatedReplicas ?? 0;
  const available = status.availableReplicas ?? 0;
  const current = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  // A StatefulSet counts a pod as updated once it is created, and is complete only when no older revision is left.
  const isLastRevision = kind === "Deployment" || status.currentRevision === status.updateRevision;
  const done = current && isLastRevision && updated === size && replicas === updated && available === updated;
  return {
    replicas,
    updated,
    ready: status.readyReplicas ?? 0,
    available,
    seen: status.observedGeneration !== undefined,
    current,
    done,
    ...(current && !done ? failures(status.conditions) : {}),
  };
}

/** A workload together with the one that it replaces, whose servers still run. */
export function besides(rollout: Rollout, former: Rollout): Rollout {
  return {
    ...rollout,
    replicas: rollout.replicas + former.replicas,
    ready: rollout.ready + former.ready,
    available: rollout.available + former.available,
    done: false,
  };
}

/** Reported only for the current generation and until it is rolled out, so that a repaired resource is not called broken. */
function failures(conditions?: ObservedCondition[]): Pick<Rollout, "deadlineExceeded" | "replicaFailure"> {
  const progressing = findCondition(conditions, "Progressing");
  const failure = findCondition(conditions, "ReplicaFailure");
  const isLate = progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded";
  return {
    ...(isLate && { deadlineExceeded: progressing.message ?? "the rollout did not finish in time" }),
    ...(failure?.status === "True" && { replicaFailure: failure.message ?? "pods could not be created" }),
  };
}

/**
 * A person has paused the rollout, by `kubectl rollout pause` of a Deployment or a partition of a StatefulSet. The operator leaves
 * both alone, so the message has the command to resume. Undefined if no change waits.
 */
export function pausedMessage(
  kind: WorkloadKind,
  workload: ObservedWorkload,
  rollout: Rollout,
  size: number,
  replicaSets: KubeObject[],
): string | undefined {
  if (!rollout.current || rollout.done || size === 0) return undefined;
  const { namespace, name, uid } = workload.metadata;
  if (kind === "Deployment") {
    const hasPods = replicaSets.some((set) => controllerOf(set)?.uid === uid);
    // A paused Deployment can still be resized, so missing pods alone do not wait.
    const isWaiting = workload.spec?.paused === true && (rollout.replicas > rollout.updated || !hasPods);
    return isWaiting
      ? `Deployment ${namespace}/${name} is paused, so the change waits until you run: kubectl rollout resume deployment/${name} -n ${namespace}`
      : undefined;
  }
  const partition = Math.min(workload.spec?.updateStrategy?.rollingUpdate?.partition ?? 0, size);
  const { currentRevision, updateRevision } = workload.status ?? {};
  const isWaiting = partition > 0 && currentRevision !== updateRevision && rollout.updated >= size - partition;
  if (!isWaiting) return undefined;
  const servers = partition === 1 ? `server ${name}-0 does` : `servers ${name}-0 to ${name}-${partition - 1} do`;
  const patch = JSON.stringify({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  return `StatefulSet ${namespace}/${name} has a partition, so ${servers} not get the change until you run: kubectl patch statefulset ${name} -n ${namespace} --type merge -p '${patch}'`;
}

/** How long a change may make no progress. Kubernetes has the same default for a Deployment. */
const deadlineMs = 600_000;

/**
 * "late", or the milliseconds until the deadline of a change that is not complete. A new pod, or one that became ready, is progress.
 * All times come from the cluster, so a restart of the operator does not extend the deadline. `progressing` is the condition that
 * was written last.
 */
export function deadlineOf(
  progressing: Condition | undefined,
  generation: number | undefined,
  steps: number,
  now: Date,
): "late" | number {
  const flippedAt = progressing ? Date.parse(progressing.lastTransitionTime) : NaN;
  const isLate = progressing?.reason === "ProgressDeadlineExceeded" && progressing.observedGeneration === generation;
  // Once late, it stays late until there is progress.
  if (isLate && !(steps > flippedAt)) return "late";
  const begun = progressing?.status === "True" ? flippedAt : isLate ? steps : now.getTime();
  const leftMs = Math.max(begun, steps) + deadlineMs - now.getTime();
  return leftMs > 0 ? Math.ceil(leftMs) : "late";
}

/** The time of the last progress: a child or pod was created, or a pod became ready. */
export function lastStep(children: (KubeObject | undefined)[], pods: ObservedPod[]): number {
  const made = [...children, ...pods].map((object) => object?.metadata.creationTimestamp);
  const ready = pods.map(({ status }) => findCondition(status?.conditions, "Ready"));
  return latest([...made, ...ready.map((each) => (each?.status === "True" ? each.lastTransitionTime : undefined))]);
}

export function lateMessage(pods: ObservedPod[], size: number): string {
  return pods.length < size
    ? `No progress for 10 minutes, ${pods.length} of ${size} pods exist.`
    : "No progress for 10 minutes.";
}

/** The scheduler's reasons that an old server stands in the way of a new one, and their meaning here. */
const fullNodes: [words: RegExp, meaning: string][] = [
  [/anti-affinity rules/, "every node already runs a server of this cache"],
  [/topology spread constraints(?! \(missing)/, "an additional server would violate the topology spread constraints"],
  [/Insufficient |Too many pods/, "no node has room for an additional server of this cache"],
];

/** The scheduler's message if no node would accept the pod even without any other pod. */
const nowhere = /preemption: 0\/(\d+) nodes are available: \1 Preemption is not helpful/;

const quota = /exceeded quota/;

/**
 * Adds the remedy if a change only fails because the Deployment starts a new server before it stops an old one: enough servers are
 * available, so the missing one is additional.
 */
export function withSurgeAdvice(observed: ObservedState, spec: DefaultedSpec): ObservedState {
  const { rollout, unschedulable, former, workload, size } = observed;
  const isUp = rollout.current && !rollout.done && rollout.available >= size;
  if (workload !== "Deployment" || former || !isUp || !onlySurges(spec)) return observed;
  const refusal = rollout.replicaFailure;
  if (refusal && quota.test(refusal)) {
    const remedy = "set spec.rollout.maxSurge to 0 and spec.rollout.maxUnavailable to 1, or raise the quota";
    return { ...observed, rollout: { ...rollout, replicaFailure: `${refusal}: ${remedy}` } };
  }
  const words = unschedulable?.message ?? "";
  const meaning = nowhere.test(words) ? undefined : fullNodes.find(([regexp]) => regexp.test(words))?.[1];
  if (!unschedulable || !meaning) return observed;
  // The remedy comes first, because the scheduler's message is long.
  const message = `${meaning}: set spec.rollout.maxUnavailable to 1, so that one server at a time is unavailable with its items (${words.replace(/\.$/, "")})`;
  return { ...observed, unschedulable: { ...unschedulable, message } };
}
