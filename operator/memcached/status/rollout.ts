import type { Condition, DefaultedSpec } from "../../../api";
import { type KubeObject, findCondition } from "../../runtime";
import { onlySurges } from "../fields/rollout";
import { controllerOf } from "../owner";
import type { ObservedCondition, ObservedPod, ObservedWorkload, WorkloadKind } from "../types";
import type { ObservedState } from "./observedState";
import { latest } from "./pods";

/** How far a workload has come, as `kubectl rollout status` counts. */
export interface Rollout {
  /** Pods there are, updated ones, ready ones and available ones. */
  replicas: number;
  updated: number;
  ready: number;
  available: number;
  /** Its controller has looked at it at all. */
  seen: boolean;
  /** What it says of the pods is said of the current generation, not of an earlier one. */
  current: boolean;
  /** Every desired server runs the current specification and is available, and no other is left. */
  done: boolean;
  /** The controller's words when it gave up waiting (progressDeadlineSeconds). */
  deadlineExceeded?: string;
  /** The API server's words when pods could not be created. */
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

/** What is read of a workload. */
interface Observed {
  metadata: { generation?: number };
  status?: ObservedWorkload["status"];
}

/**
 * Reads the workload's status. One that was written for an earlier generation speaks of an earlier spec; the response to our own
 * last apply is in the store by then, so the generation is never older than what we asked for.
 */
export function rolloutOf(kind: WorkloadKind, { metadata, status = {} }: Observed, size: number): Rollout {
  const replicas = status.replicas ?? 0;
  const updated = status.updatedReplicas ?? 0;
  const available = status.availableReplicas ?? 0;
  const current = (status.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  // A StatefulSet counts a server as updated as soon as it is made, and is through only when no revision but the last is left.
  const through = kind === "Deployment" || status.currentRevision === status.updateRevision;
  const done = current && through && updated === size && replicas === updated && available === updated;
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

/** A workload that takes over from another, whose servers still serve beside its own. */
export function besides(rollout: Rollout, former: Rollout): Rollout {
  return {
    ...rollout,
    replicas: rollout.replicas + former.replicas,
    ready: rollout.ready + former.ready,
    available: rollout.available + former.available,
    done: false,
  };
}

/** Counted only for the current generation, and until it is rolled out: a fixed resource must not be called broken. */
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
 * What keeps a change from the servers because a person has paused the rollout: `kubectl rollout pause` of a Deployment, a
 * partition of a StatefulSet. Both are theirs to set and to take back, so it comes with the command for it. Undefined while no
 * change waits for it.
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
    const isMade = replicaSets.some((set) => controllerOf(set)?.uid === uid);
    // It is resized all the same: servers that have yet to come do not wait.
    const isWaiting = workload.spec?.paused === true && (rollout.replicas > rollout.updated || !isMade);
    return isWaiting
      ? `Deployment ${namespace}/${name} is paused, and the change waits for it: kubectl rollout resume deployment/${name} -n ${namespace}`
      : undefined;
  }
  const partition = Math.min(workload.spec?.updateStrategy?.rollingUpdate?.partition ?? 0, size);
  const { currentRevision, updateRevision } = workload.status ?? {};
  const isWaiting = partition > 0 && currentRevision !== updateRevision && rollout.updated >= size - partition;
  if (!isWaiting) return undefined;
  const servers = partition === 1 ? `server ${name}-0 does` : `servers ${name}-0 to ${name}-${partition - 1} do`;
  const patch = JSON.stringify({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  return `StatefulSet ${namespace}/${name} has a partition, by which ${servers} not take the change: kubectl patch statefulset ${name} -n ${namespace} --type merge -p '${patch}'`;
}

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
  const made = [...children, ...pods].map((object) => object?.metadata.creationTimestamp);
  const ready = pods.map(({ status }) => findCondition(status?.conditions, "Ready"));
  return latest([...made, ...ready.map((each) => (each?.status === "True" ? each.lastTransitionTime : undefined))]);
}

/** What a Deployment's controller says of a ReplicaSet, said of all that can be late. */
export function lateMessage(pods: ObservedPod[], size: number): string {
  return pods.length < size
    ? `No progress for 10 minutes, with ${pods.length} of ${size} servers there.`
    : "No progress for 10 minutes.";
}

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
 * goes: as many servers as desired are available, so what is missing is one beside them.
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
