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

/** A condition of an apps/v1 or v1 object. */
export interface ObservedCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

/** What runs the servers. */
export type WorkloadKind = "Deployment" | "StatefulSet";

/** The fields of a Service that the operator reads. */
export interface ObservedService extends KubeObject {
  spec?: { type?: string; externalIPs?: string[] };
  status?: { loadBalancer?: { ingress?: object[] } };
}

/** The fields of a PodDisruptionBudget that the operator reads. */
export interface ObservedBudget extends KubeObject {
  spec?: {
    selector?: {
      matchLabels?: Record<string, string>;
      matchExpressions?: { key: string; operator: string; values?: string[] }[];
    };
  };
}

/** The fields of a Deployment or StatefulSet that the operator reads. All others are only compared with the desired body. */
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
    /** Of a StatefulSet: equal to updateRevision once no pod of an older revision is left. */
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

/** The fields of a Pod that are kept in the store. */
export interface ObservedPod extends KubeObject {
  /** Kept only for a terminating pod. */
  spec?: { nodeName?: string };
  status?: {
    phase?: string;
    /** Why the kubelet or a controller set the phase to Failed. */
    reason?: string;
    message?: string;
    conditions?: ObservedCondition[];
    initContainerStatuses?: ContainerStatus[];
    containerStatuses?: ContainerStatus[];
  };
}
