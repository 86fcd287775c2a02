/** How far the rollout of a Deployment is, from what the API says of it and of its pods. */
import { startingReasons } from "../../operator/memcached/status/pods";
import { rolloutOf } from "../../operator/memcached/status/rollout";

interface Condition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
}

interface ContainerState {
  waiting?: { reason?: string; message?: string };
  terminated?: { reason?: string; message?: string; exitCode: number };
}

export interface DeploymentObject {
  metadata: { generation: number };
  spec: { replicas?: number; template: { spec: { containers: { image: string }[] } } };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    availableReplicas?: number;
    conditions?: Condition[];
  };
}

export interface PodObject {
  metadata: { name: string; deletionTimestamp?: string };
  spec: { containers: { image: string }[] };
  status?: {
    conditions?: Condition[];
    containerStatuses?: { ready: boolean; state?: ContainerState; lastState?: ContainerState }[];
  };
}

export interface RolloutState {
  done: boolean;
  /** What keeps a pod from running, in the cluster's own words. */
  problem?: string;
}

/** Pods of other images are those that the rollout replaces: what they have does not matter. */
export function rolloutState(deployment: DeploymentObject, pods: readonly PodObject[]): RolloutState {
  const { metadata, spec, status = {} } = deployment;
  if (rolloutOf("Deployment", { metadata, status }, spec.replicas ?? 1).done) return { done: true };
  const image = spec.template.spec.containers[0]?.image;
  const current = pods.filter((pod) => !pod.metadata.deletionTimestamp && pod.spec.containers[0]?.image === image);
  const failure = status.conditions?.find((c) => c.type === "ReplicaFailure" && c.status === "True");
  const problem = current.map(podProblem).find((found) => found !== undefined) ?? (failure && words(failure));
  return { done: false, ...(problem && { problem }) };
}

function podProblem({ metadata, status = {} }: PodObject): string | undefined {
  const unplaced = status.conditions?.find((c) => c.type === "PodScheduled" && c.status === "False");
  if (unplaced) return `pod ${metadata.name}: ${words(unplaced)}`;
  for (const { ready, state, lastState } of status.containerStatuses ?? []) {
    const waiting = state?.waiting;
    if (ready || !waiting?.reason || startingReasons.includes(waiting.reason)) continue;
    const end = lastState?.terminated;
    const last = end ? `; it ended with code ${end.exitCode}${end.message ? `: ${end.message.trim()}` : ""}` : "";
    return `pod ${metadata.name}: ${words(waiting)}${last}`;
  }
  return undefined;
}

const words = ({ reason, message }: { reason?: string; message?: string }): string =>
  [reason, message].filter(Boolean).join(": ");
