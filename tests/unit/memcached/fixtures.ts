import type { Memcached, MemcachedSpec } from "../../../api";
import type { Environment } from "../../../operator/memcached/children/child";
import type { Rollout } from "../../../operator/memcached/status/rollout";
import { nothingRolledOut } from "../../../operator/memcached/status/rollout";
import type { ObservedState } from "../../../operator/memcached/status/observedState";
import type { ContainerStatus, ObservedPod } from "../../../operator/memcached/types";

export const environment: Environment = {
  image: "example.com/memcached:1",
  proxy: [],
  fixedUser: true,
  clusterDomain: "cluster.local",
};

export function memcached(spec: MemcachedSpec = {}, more: Partial<Memcached> = {}): Memcached {
  return {
    apiVersion: "cache.example.com/v1",
    kind: "Memcached",
    metadata: { name: "cache", namespace: "shop", uid: "uid-1", generation: 1, resourceVersion: "10" },
    spec: { size: 1, ...spec },
    ...more,
  };
}

/** A rollout of `size` servers that is done. */
export function rolledOut(size: number): Rollout {
  return { replicas: size, updated: size, ready: size, available: size, seen: true, current: true, done: true };
}

export function rollout(numbers: Partial<Rollout>): Rollout {
  return { ...nothingRolledOut, seen: true, current: true, ...numbers };
}

/** A healthy resource of three servers, with changes. */
export function observedState(changes: Partial<ObservedState> = {}): ObservedState {
  return {
    name: "cache",
    size: 3,
    workload: "Deployment",
    workloadExists: true,
    serviceExists: true,
    resizing: false,
    rollout: rolledOut(3),
    ...changes,
  };
}

export function pod(name: string, owner: string, container?: Partial<ContainerStatus>): ObservedPod {
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: {
      name,
      namespace: "shop",
      uid: `pod-${name}`,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: owner, uid: owner, controller: true }],
    },
    status: {
      phase: "Running",
      containerStatuses: container ? [{ name: "memcached", ready: false, restartCount: 0, ...container }] : [],
    },
  };
}
