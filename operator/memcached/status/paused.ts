import type { KubeObject } from "../../runtime";
import { controllerOf } from "../owner";
import type { ObservedWorkload, WorkloadKind } from "../types";
import type { Rollout } from "./rollout";

/**
 * What keeps a change from the servers because a person has paused the rollout: `kubectl rollout pause` of a Deployment, a
 * partition of a StatefulSet. Both are theirs to set and to take back, so it comes with the command for it. Undefined while nothing is
 * held up by it.
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
    // It is resized all the same: servers that have yet to come are not held up.
    const isHeld = workload.spec?.paused === true && (rollout.replicas > rollout.updated || !isMade);
    return isHeld
      ? `Deployment ${namespace}/${name} is paused, and the change waits for it: kubectl rollout resume deployment/${name} -n ${namespace}`
      : undefined;
  }
  const partition = Math.min(workload.spec?.updateStrategy?.rollingUpdate?.partition ?? 0, size);
  const { currentRevision, updateRevision } = workload.status ?? {};
  const isHeld = partition > 0 && currentRevision !== updateRevision && rollout.updated >= size - partition;
  if (!isHeld) return undefined;
  const servers = partition === 1 ? `server ${name}-0 does` : `servers ${name}-0 to ${name}-${partition - 1} do`;
  const patch = JSON.stringify({ spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } });
  return `StatefulSet ${namespace}/${name} has a partition, by which ${servers} not take the change: kubectl patch statefulset ${name} -n ${namespace} --type merge -p '${patch}'`;
}
