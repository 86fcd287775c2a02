import { type Memcached, withDefaults } from "../../api";
import { type KubeObject, keyOf, keyText } from "../runtime";
import { type Stores, byInstance, workloadOf } from "./stores";
import { formerKind } from "./children/workloads";
import { controllerOf, isControlledBy } from "./owner";
import { type Deadline, deadlineOf, lastStep, lateMessage } from "./status/deadline";
import { type EndedPods, currentRevision } from "./status/endedPods";
import { pausedMessage } from "./status/paused";
import { isFinished, podFailure, podsBelow, podsOf, unready, unschedulable } from "./status/pods";
import { besides, nothingRolledOut, rolloutOf } from "./status/rollout";
import type { ObservedState } from "./status/observedState";
import { withSurgeAdvice } from "./status/surge";
import { terminating } from "./status/terminating";
import type { ChildResult } from "./sync/childReconciler";
import type { ObservedPod, ObservedService } from "./types";

/** What came of the children in this pass. */
export interface ChildResults {
  workload: ChildResult;
  service: ChildResult;
  /** The workload of before spec.workload was changed, which has to go. */
  former: ChildResult;
  /** Pods that the workload's controller cannot create. */
  pods: ChildResult;
}

type WorkloadStores = Pick<Stores, "deployments" | "statefulSets">;

/** Whether the workload that is wanted serves all that is wanted, so that one of the other kind is of no more use. */
export function hasTakenOver(memcached: Memcached, stores: WorkloadStores): boolean {
  const { workload, size } = withDefaults(memcached.spec);
  if (!workloadOf(stores, formerKind[workload], memcached)) return false;
  const live = workloadOf(stores, workload, memcached);
  return live !== undefined && rolloutOf(workload, live, size).done;
}

/** Whether servers of a Deployment that a StatefulSet takes over from are there, or have yet to end. */
export function isTakingOver(memcached: Memcached, stores: WorkloadStores & Pick<Stores, "pods">): boolean {
  if (withDefaults(memcached.spec).workload !== "StatefulSet") return false;
  if (workloadOf(stores, "Deployment", memcached)) return true;
  const pods = stores.pods.byIndex(byInstance, keyText(keyOf(memcached)));
  return pods.some((pod) => controllerOf(pod)?.kind === "ReplicaSet" && !isFinished(pod));
}

/** How things stand with a Memcached. */
export interface Observation {
  state: ObservedState;
  pods: ObservedPod[];
  /** When it stands otherwise although nothing happens: milliseconds from now. */
  changesInMs?: number;
}

/** How things stand with a Memcached, as far as the stores and this pass tell. */
export function observe(
  memcached: Memcached,
  results: ChildResults,
  stores: WorkloadStores & Pick<Stores, "services" | "pods" | "replicaSets">,
  failedPods: EndedPods,
  now: Date,
): Observation {
  const { workload: kind, size } = withDefaults(memcached.spec);
  const key = keyOf(memcached);
  const instance = keyText(key);
  // The answer to a write of this pass is in the cache by now, or something newer is.
  const live = workloadOf(stores, kind, memcached);
  const former = workloadOf(stores, formerKind[kind], memcached);
  const named: ObservedService | undefined = stores.services.get(key);
  const served = named && isControlledBy(named, memcached.metadata.uid) ? named : undefined;
  const replicaSets = stores.replicaSets.byIndex(byInstance, instance);
  const labelled = stores.pods.byIndex(byInstance, instance);
  const of = (uids: (string | undefined)[]) => podsOf(uids, labelled, replicaSets);
  const wanted = of([live?.metadata.uid]);
  const fail = failedPods.of(instance, () => currentRevision(kind, live, replicaSets));
  const replicaFailure = results.pods.problem?.message;
  const counted = live ? rolloutOf(kind, live, size) : nothingRolledOut;
  const paused = live && pausedMessage(kind, live, counted, size, replicaSets);
  // A Deployment puts others in the place of pods that do not end.
  const waitsForPods = kind === "StatefulSet" && !counted.done;
  const below = waitsForPods ? podsBelow([live?.metadata.uid], labelled, replicaSets) : [];
  const ending = terminating(
    below.filter(({ metadata }) => metadata.deletionTimestamp),
    now,
  );
  const before = former && rolloutOf(formerKind[kind], former, size);
  const { workload, service } = results;
  const state: ObservedState = {
    name: memcached.metadata.name,
    size,
    workload: kind,
    former: former && { kind: formerKind[kind], size: former.spec?.replicas ?? 1, ready: before?.ready ?? 0 },
    ending: endingOf(memcached, results),
    invalid: workload.invalid ?? service.invalid,
    workloadProblem: workload.problem,
    workloadExists: live !== undefined,
    resizing: live?.spec?.replicas !== size,
    serviceProblem: service.problem,
    formerProblem: results.former.problem,
    serviceExists: served !== undefined,
    waitingFor: workload.waitingFor ?? service.waitingFor,
    rollout: before ? besides(counted, before) : counted,
    podFailure: podFailure(wanted),
    podsFail: fail?.why,
    podTerminating: ending.why,
    paused,
    unschedulable: unschedulable(wanted),
    unready: unready(wanted),
    addressAwaited: served && addressAwaited(served),
  };
  if (replicaFailure) state.rollout = { ...state.rollout, replicaFailure };
  const deadline =
    isThrough(state) || paused !== undefined ? undefined : deadlineFor(memcached, [live, served], wanted, now);
  if (deadline === "late") {
    const deadlineExceeded = state.rollout.deadlineExceeded ?? lateMessage(wanted, size);
    state.rollout = { ...state.rollout, deadlineExceeded };
  }
  const changes = [fail?.forMs, ending.changesInMs, deadline === "late" ? undefined : deadline].filter(
    (ms) => ms !== undefined,
  );
  const pods = former ? of([live?.metadata.uid, former.metadata.uid]) : wanted;
  const told = withSurgeAdvice(state, withDefaults(memcached.spec));
  return { state: told, pods, ...(changes.length > 0 && { changesInMs: Math.min(...changes) }) };
}

function isThrough({ rollout, waitingFor, addressAwaited }: ObservedState): boolean {
  return rollout.done && waitingFor === undefined && addressAwaited === undefined;
}

function deadlineFor(
  { metadata, status }: Memcached,
  children: (KubeObject | undefined)[],
  pods: ObservedPod[],
  now: Date,
): Deadline {
  const progressing = status?.conditions?.find(({ type }) => type === "Progressing");
  return deadlineOf(progressing, metadata.generation, lastStep(children, pods), now);
}

/** Until then a Service of type LoadBalancer leads nowhere from outside. */
function addressAwaited({ metadata, spec, status }: ObservedService): string | undefined {
  if (spec?.type !== "LoadBalancer" || spec.externalIPs?.length || status?.loadBalancer?.ingress?.length)
    return undefined;
  return `Service ${metadata.namespace}/${metadata.name} has no address yet, which a load balancer of the cluster has to give it`;
}

function endingOf({ metadata }: Memcached, results: ChildResults): ObservedState["ending"] {
  if (metadata.deletionTimestamp) return "deleted";
  return Object.values(results).some(({ ending }) => ending === "namespace") ? "namespace" : undefined;
}
