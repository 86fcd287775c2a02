/** How far the rollout of a Deployment is, from what the API says of it and of its pods: in the words in which caches tell it. */
import { podFailure, unschedulable } from "../../operator/memcached/status/pods";
import { rolloutOf } from "../../operator/memcached/status/rollout";
import type { ObservedPod, ObservedWorkload } from "../../operator/memcached/types";

interface Images {
  spec: { containers: { image: string }[] };
}
export type DeploymentObject = Pick<ObservedWorkload, "metadata" | "status"> & {
  spec: { replicas?: number; template: Images };
};
export type PodObject = ObservedPod & Images;

export interface RolloutState {
  done: boolean;
  /** What keeps a pod from running, in the cluster's own words. */
  problem?: string;
}

/** Pods of other images are those that the rollout replaces: what they have does not matter. */
export function rolloutState(deployment: DeploymentObject, pods: readonly PodObject[]): RolloutState {
  const { replicas = 1, template } = deployment.spec;
  const rollout = rolloutOf("Deployment", deployment, replicas);
  const image = template.spec.containers[0]?.image;
  const current = pods.filter((pod) => !pod.metadata.deletionTimestamp && pod.spec.containers[0]?.image === image);
  const problem = (unschedulable(current) ?? podFailure(current))?.message ?? rollout.replicaFailure;
  return { done: rollout.done, ...(!rollout.done && problem && { problem }) };
}
