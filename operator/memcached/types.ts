import { group, kind, plural, storedVersion } from "../../api";
import type { KubeObject, ResourceType } from "../runtime";

export const memcachedType: ResourceType = { group, version: storedVersion, plural, kind, namespaced: true };
export const deploymentType: ResourceType = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
};
export const statefulSetType: ResourceType = {
  group: "apps",
  version: "v1",
  plural: "statefulsets",
  kind: "StatefulSet",
  namespaced: true,
};
export const replicaSetType: ResourceType = {
  group: "apps",
  version: "v1",
  plural: "replicasets",
  kind: "ReplicaSet",
  namespaced: true,
};
export const serviceType: ResourceType = {
  group: "",
  version: "v1",
  plural: "services",
  kind: "Service",
  namespaced: true,
};
export const eventType: ResourceType = {
  group: "events.k8s.io",
  version: "v1",
  plural: "events",
  kind: "Event",
  namespaced: true,
};
export const podType: ResourceType = { group: "", version: "v1", plural: "pods", kind: "Pod", namespaced: true };

/** A condition as apps/v1 and v1 objects carry it. */
export interface ObservedCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** What runs the servers. */
export type WorkloadKind = "Deployment" | "StatefulSet";

/** What is read of a Service. */
export interface ObservedService extends KubeObject {
  spec?: { type?: string; externalIPs?: string[] };
  status?: { loadBalancer?: { ingress?: object[] } };
}

/** What is read of a Deployment or StatefulSet: everything else is only ever compared with what we apply. */
export interface ObservedWorkload extends KubeObject {
  spec?: {
    replicas?: number;
    /** Of a Deployment. */
    paused?: boolean;
    /** Of a StatefulSet. */
    updateStrategy?: { rollingUpdate?: { partition?: number } };
  };
  status?: {
    observedGeneration?: number;
    replicas?: number;
    updatedReplicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    /** Of a StatefulSet: equal once no server of an earlier revision is left. */
    currentRevision?: string;
    updateRevision?: string;
    conditions?: ObservedCondition[];
  };
}

export interface TerminatedState {
  exitCode: number;
  reason?: string;
  message?: string;
}

export interface ContainerStatus {
  name: string;
  ready: boolean;
  restartCount: number;
  state?: { waiting?: { reason?: string; message?: string }; running?: object; terminated?: TerminatedState };
  lastState?: { terminated?: TerminatedState };
}

/** The part of a Pod that is kept. */
export interface ObservedPod extends KubeObject {
  /** Kept of a pod that is being deleted. */
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    /** Why it failed, where the kubelet or a controller made it. */
    reason?: string;
    message?: string;
    conditions?: ObservedCondition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}
