import type { ObservedCondition, ObservedWorkload, WorkloadKind } from "../types";

/** How far a workload has come, as `kubectl rollout status` counts. */
export interface Rollout {
  /** Pods there are, updated ones, ready ones and available ones. */
  replicas: number;
  updated: number;
  ready: number;
  available: number;
  /** Its controller has looked at it at all. */
  seen: boolean;
  /** What it says of the pods is said of what is wanted now, not of what was wanted before. */
  current: boolean;
  /** Every wanted server runs the current specification and is available, and no other is left. */
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
 * Reads the workload's status. One that was written for an earlier generation speaks of what was wanted before; the answer to our own
 * last apply is in the cache by then, so the generation is never older than what we asked for.
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
function failures(conditions: ObservedCondition[] = []): Pick<Rollout, "deadlineExceeded" | "replicaFailure"> {
  const find = (type: string) => conditions.find((condition) => condition.type === type);
  const progressing = find("Progressing");
  const failure = find("ReplicaFailure");
  return {
    ...(progressing?.status === "False" && progressing.reason === "ProgressDeadlineExceeded"
      ? { deadlineExceeded: progressing.message ?? "the rollout did not finish in time" }
      : {}),
    ...(failure?.status === "True" ? { replicaFailure: failure.message ?? "pods could not be created" } : {}),
  };
}
