import { group, kind, plural, storedVersion } from "../../api";
import type { KubeObject, ResourceType } from "../runtime";

function type(group: string, version: string, plural: string, kind: string): ResourceType {
  return { group, version, plural, kind, namespaced: true };
}

export const memcachedType = type(group, storedVersion, plural, kind);
export const deploymentType = type("apps", "v1", "deployments", "Deployment");
export const statefulSetType = type("apps", "v1", "statefulsets", "StatefulSet");
export const replicaSetType = type("apps", "v1", "replicasets", "ReplicaSet");
export const serviceType = type("", "v1", "services", "Service");
export const disruptionBudgetType = type("policy", "v1", "poddisruptionbudgets", "PodDisruptionBudget");
export const networkPolicyType = type("networking.k8s.io", "v1", "networkpolicies", "NetworkPolicy");
export const secretType = type("", "v1", "secrets", "Secret");
export const configMapType = type("", "v1", "configmaps", "ConfigMap");
export const podType = type("", "v1", "pods", "Pod");

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

/** What is read of a PodDisruptionBudget. */
export interface ObservedBudget extends KubeObject {
  spec?: {
    selector?: {
      matchLabels?: Record<string, string>;
      matchExpressions?: { key: string; operator: string; values?: string[] }[];
    };
  };
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
