import { type Memcached, writtenStatus } from "../../api";
import { type ControllerManager, type Key, type KubeObject, type Store, keyOf, keyText } from "../runtime";
import { operandSelector } from "./labels";
import { isControlledBy, memcachedOwner, orphanOf } from "./owner";
import {
  type ObservedPod,
  type ObservedWorkload,
  type WorkloadKind,
  type ObservedBudget,
  deploymentType,
  disruptionBudgetType,
  memcachedType,
  networkPolicyType,
  podType,
  replicaSetType,
  serviceType,
  statefulSetType,
} from "./types";

/** The controller's caches. */
export interface Stores {
  memcacheds: Store<Memcached>;
  deployments: Store;
  statefulSets: Store;
  services: Store;
  disruptionBudgets: Store<ObservedBudget>;
  networkPolicies: Store;
  replicaSets: Store;
  pods: Store<ObservedPod>;
}

export type WorkloadStores = Pick<Stores, "deployments" | "statefulSets">;

/** Index of pods and ReplicaSets by the Memcached of their label; see `memcachedOf`. */
export const byInstance = "instance";

/** Index of the PodDisruptionBudgets that no Memcached controls, by their namespace. */
export const foreignBudgets = "foreign";

const foreignNamespace = (budget: KubeObject): string[] =>
  memcachedOwner(budget) ? [] : [budget.metadata.namespace ?? ""];

/** Registers the stores. Children are watched without a selector, because a foreign object with a child's name has none of our labels. */
export function registerStores(manager: Pick<ControllerManager, "store">): Stores {
  const indices = { [byInstance]: (object: KubeObject) => memcachedOf(object).map(keyText) };
  const labelSelector = operandSelector;
  return {
    memcacheds: manager.store(memcachedType, { transform: memcachedKept }),
    deployments: manager.store(deploymentType, { transform: childKept }),
    statefulSets: manager.store(statefulSetType, { transform: childKept }),
    services: manager.store(serviceType, { transform: childKept }),
    disruptionBudgets: manager.store<ObservedBudget>(disruptionBudgetType, {
      indices: { [foreignBudgets]: foreignNamespace },
      transform: budgetKept,
    }),
    networkPolicies: manager.store(networkPolicyType, { transform: childKept }),
    replicaSets: manager.store(replicaSetType, { labelSelector, indices, transform: replicaSetKept }),
    pods: manager.store<ObservedPod>(podType, { labelSelector, indices, transform: podKept }),
  };
}

/** The Memcached that a label of a pod or ReplicaSet names. The label is only a hint: the owner is found by UID. */
export function memcachedOf({ metadata }: KubeObject): Key[] {
  const name = metadata.labels?.["app.kubernetes.io/instance"];
  return name === undefined ? [] : [{ namespace: metadata.namespace ?? "", name }];
}

/** The Memcacheds that a change of a child may affect: its owner, and the one of the same name. */
export function concernedBy(child: KubeObject): Key[] {
  const { namespace = "", name } = child.metadata;
  const owner = memcachedOwner(child)?.name;
  const names = owner === undefined || owner === name ? [name] : [name, owner];
  return names.map((each) => ({ namespace, name: each }));
}

/** The Memcached's own workload of a kind. */
export function workloadOf(
  stores: WorkloadStores,
  kind: WorkloadKind,
  memcached: Memcached,
): ObservedWorkload | undefined {
  const found = workloadNamedAs(memcached, stores, kind);
  return found && isControlledBy(found, memcached.metadata.uid) ? found : undefined;
}

/** The workload of a kind with the Memcached's name, whoever owns it. */
export function workloadNamedAs(
  memcached: Memcached,
  stores: WorkloadStores,
  kind: WorkloadKind,
): ObservedWorkload | undefined {
  return (kind === "Deployment" ? stores.deployments : stores.statefulSets).get(keyOf(memcached));
}

/** Without the default of status, which the API server adds when it is read. */
function memcachedKept(object: KubeObject): Memcached {
  const memcached = object as Memcached;
  const status = writtenStatus(memcached.status);
  return status === memcached.status ? memcached : { ...memcached, status };
}

/** Keeps only the metadata of objects that are not ours and cannot become ours, because there may be very many. */
function childKept(object: KubeObject): KubeObject {
  return memcachedOwner(object) || orphanOf(object) !== undefined ? object : outlineOf(object);
}

/** With its selector, whoever's it is: it may select our servers. */
function budgetKept(object: KubeObject): ObservedBudget {
  const { spec } = object as ObservedBudget;
  return { ...childKept(object), spec, status: undefined } as ObservedBudget;
}

function outlineOf({ apiVersion, kind, metadata }: KubeObject): KubeObject {
  const { name, namespace, uid, resourceVersion, generation, labels, ownerReferences, deletionTimestamp } = metadata;
  return {
    apiVersion,
    kind,
    metadata: { name, namespace, uid, resourceVersion, generation, labels, ownerReferences, deletionTimestamp },
  };
}

/** Annotation with the revision of a Deployment's ReplicaSet. */
export const revisionAnnotation = "deployment.kubernetes.io/revision";

function replicaSetKept(object: KubeObject): KubeObject {
  const outline = outlineOf(object);
  const revision = object.metadata.annotations?.[revisionAnnotation];
  return revision === undefined
    ? outline
    : { ...outline, metadata: { ...outline.metadata, annotations: { [revisionAnnotation]: revision } } };
}

function podKept(object: KubeObject): ObservedPod {
  const { metadata, ...outline } = outlineOf(object);
  const { phase, reason, message, conditions, initContainerStatuses, containerStatuses } =
    (object as ObservedPod).status ?? {};
  const { deletionTimestamp, deletionGracePeriodSeconds, finalizers } = object.metadata;
  // Shows why the pod does not terminate.
  const ending = deletionTimestamp === undefined ? undefined : { deletionGracePeriodSeconds, finalizers };
  return {
    ...outline,
    metadata: { ...metadata, creationTimestamp: object.metadata.creationTimestamp, ...ending },
    ...(ending && { spec: { nodeName: (object as ObservedPod).spec?.nodeName } }),
    status: { phase, reason, message, conditions, initContainerStatuses, containerStatuses },
  };
}
