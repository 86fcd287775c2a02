import { type Memcached, withDefaults } from "../../api";
import { findCondition, keyOf, keyText } from "../runtime";
import { formerKind } from "./children/workloads";
import { controllerOf, isControlledBy } from "./owner";
import { type EndedPod, currentRevision, repeatedEnd } from "./status/endedPods";
import type { SecretReport } from "./secrets/check";
import type { ObservedState, Problem, Timed } from "./status/observedState";
import { isFinished, podFailure, podsBelow, podsOf, terminating, unready, unschedulable } from "./status/pods";
import {
  type Rollout,
  besides,
  deadlineOf,
  lastStep,
  lateMessage,
  nothingRolledOut,
  pausedMessage,
  rolloutOf,
  withSurgeAdvice,
} from "./status/rollout";
import { type Stores, type WorkloadStores, byInstance, workloadOf } from "./stores";
import type { ChildResult } from "./sync/childReconciler";
import type { ObservedPod, ObservedService } from "./types";

/** The results of reconciling the children in this pass. */
export interface ChildResults {
  workload: ChildResult;
  /** Of the Service, the PodDisruptionBudget and the NetworkPolicy. */
  others: ChildResult[];
  /** The old workload after a change of spec.workload. */
  former: ChildResult;
  /** Pods that the workload's controller cannot create. */
  pods: ChildResult;
  /** What the first pod without its volumes waits for. */
  unmounted: Timed;
  /** Of the Secrets that the spec names, if it names any. */
  secrets?: { report: SecretReport; retryAfterMs: number };
}

type ChildStores = Omit<Stores, "memcacheds">;

/** Whether the desired workload is rolled out, so that the one of the other kind can be deleted. */
export function hasTakenOver(memcached: Memcached, stores: WorkloadStores): boolean {
  const { workload, size } = withDefaults(memcached.spec);
  if (!workloadOf(stores, formerKind[workload], memcached)) return false;
  const observed = workloadOf(stores, workload, memcached);
  return observed !== undefined && rolloutOf(workload, observed, size).done;
}

/** Whether a StatefulSet replaces a Deployment that still exists, or whose pods still run. */
export function isTakingOver(memcached: Memcached, stores: WorkloadStores & Pick<Stores, "pods">): boolean {
  if (withDefaults(memcached.spec).workload !== "StatefulSet") return false;
  if (workloadOf(stores, "Deployment", memcached)) return true;
  const pods = stores.pods.byIndex(byInstance, keyText(keyOf(memcached)));
  return pods.some((pod) => controllerOf(pod)?.kind === "ReplicaSet" && !isFinished(pod));
}

export interface Observation {
  state: ObservedState;
  /** The servers' pods. */
  pods: ObservedPod[];
  /** Milliseconds until the state changes without any event. */
  changesInMs?: number;
}

/** The observed state of a Memcached, from the stores, which already have the writes of this pass, and from the results. */
export function observe(
  memcached: Memcached,
  results: ChildResults,
  stores: ChildStores,
  endedPods: EndedPod[],
  now: Date,
): Observation {
  const objects = objectsOf(memcached, stores);
  const { kind, size, workload, former, pods, labelled, replicaSets } = objects;
  const own = workload ? rolloutOf(kind, workload, size) : nothingRolledOut;
  const rollout = overall(own, objects, results);
  const children = childrenOf(objects, results);
  const paused = workload && pausedMessage(kind, workload, own, size, replicaSets);
  const ended = repeatedEnd(endedPods, now, () => currentRevision(kind, workload, replicaSets));
  const stuck = own.done ? {} : terminating(endingPods(objects), now);
  const isComplete = rollout.done && children.waitingFor === undefined && children.addressAwaited === undefined;
  const deadline = isComplete || paused !== undefined ? {} : deadlineFor(memcached, objects, now);
  const state: ObservedState = {
    name: memcached.metadata.name,
    size,
    workload: kind,
    terminating: terminatingOf(memcached, results),
    ...children,
    rollout: deadline.exceeded === undefined ? rollout : { deadlineExceeded: deadline.exceeded, ...rollout },
    podFailure: podFailure(pods) ?? results.unmounted.problem,
    podsFail: ended.problem,
    podTerminating: stuck.problem,
    paused,
    unschedulable: unschedulable(pods),
    unready: unready(pods),
  };
  const changes = [ended, stuck, deadline, results.unmounted]
    .map(({ changesInMs }) => changesInMs)
    .filter((ms) => ms !== undefined);
  return {
    state: withSurgeAdvice(state, withDefaults(memcached.spec)),
    pods: former ? podsOf([workload?.metadata.uid, former.metadata.uid], labelled, replicaSets) : pods,
    ...(changes.length > 0 && { changesInMs: Math.min(...changes) }),
  };
}

type Objects = ReturnType<typeof objectsOf>;

/** A Memcached's own objects, and all pods with its label. `pods` are the workload's, neither finished nor terminating. */
function objectsOf(memcached: Memcached, stores: ChildStores) {
  const { workload: kind, size } = withDefaults(memcached.spec);
  const key = keyOf(memcached);
  const workload = workloadOf(stores, kind, memcached);
  const former = workloadOf(stores, formerKind[kind], memcached);
  const named: ObservedService | undefined = stores.services.get(key);
  const service = named && isControlledBy(named, memcached.metadata.uid) ? named : undefined;
  const replicaSets = stores.replicaSets.byIndex(byInstance, keyText(key));
  const labelled = stores.pods.byIndex(byInstance, keyText(key));
  const pods = podsOf([workload?.metadata.uid], labelled, replicaSets);
  return { kind, size, workload, former, service, replicaSets, labelled, pods };
}

/** The pods of the desired workload, neither finished nor terminating. */
export const workloadPods = (memcached: Memcached, stores: ChildStores): ObservedPod[] =>
  objectsOf(memcached, stores).pods;

/** Includes the servers of the workload that is being replaced. */
function overall(own: Rollout, { kind, size, former }: Objects, { pods }: ChildResults): Rollout {
  const rollout = former ? besides(own, rolloutOf(formerKind[kind], former, size)) : own;
  return pods.problem ? { ...rollout, replicaFailure: pods.problem.message } : rollout;
}

function childrenOf({ kind, size, workload, former, service }: Objects, results: ChildResults) {
  const all = [results.workload, ...results.others];
  return {
    former: former && {
      kind: formerKind[kind],
      size: former.spec?.replicas ?? 1,
      ready: rolloutOf(formerKind[kind], former, size).ready,
    },
    invalid: all.find(({ invalid }) => invalid)?.invalid,
    workloadProblem: results.workload.problem,
    workloadExists: workload !== undefined,
    resizing: workload?.spec?.replicas !== size,
    otherProblem: otherProblem(results),
    secrets: results.secrets?.report,
    serviceExists: service !== undefined,
    formerProblem: results.former.problem,
    waitingFor: all.find(({ waitingFor }) => waitingFor !== undefined)?.waitingFor,
    addressAwaited: service && addressAwaited(service),
  };
}

/** Without the problem of Secrets that already blocks the workload. */
function otherProblem({ workload, others, secrets }: ChildResults): Problem | undefined {
  const problems = [secrets?.report.problem, ...others.map(({ problem }) => problem)];
  return problems.find((problem) => problem !== undefined && problem !== workload.problem);
}

/** Terminating pods that must be gone before they are replaced. A Deployment does not wait for them. */
function endingPods({ kind, workload, labelled, replicaSets }: Objects): ObservedPod[] {
  if (kind === "Deployment") return [];
  const pods = podsBelow([workload?.metadata.uid], labelled, replicaSets);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp);
}

function deadlineFor(
  { metadata, status }: Memcached,
  { size, workload, service, pods }: Objects,
  now: Date,
): { exceeded?: string; changesInMs?: number } {
  const progressing = findCondition(status?.conditions, "Progressing");
  const deadline = deadlineOf(progressing, metadata.generation, lastStep([workload, service], pods), now);
  return deadline === "late" ? { exceeded: lateMessage(pods, size) } : { changesInMs: deadline };
}

/** A Service of type LoadBalancer cannot be reached from outside until it has an address. */
function addressAwaited({ metadata, spec, status }: ObservedService): string | undefined {
  if (spec?.type !== "LoadBalancer" || spec.externalIPs?.length || status?.loadBalancer?.ingress?.length)
    return undefined;
  return `Service ${metadata.namespace}/${metadata.name} has no address yet: the cluster's load balancer has not assigned one`;
}

function terminatingOf({ metadata }: Memcached, results: ChildResults): ObservedState["terminating"] {
  if (metadata.deletionTimestamp) return "memcached";
  return [results.workload, ...results.others, results.former].some(({ terminating }) => terminating === "namespace")
    ? "namespace"
    : undefined;
}
