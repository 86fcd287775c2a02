import { type Memcached, withDefaults } from "../../api";
import { type KubeObject, keyOf } from "../runtime";
import { type Caches, byInstance, instanceKey, workloadOf } from "./caches";
import { formerKind } from "./children/workloads";
import { controllerOf, isControlledBy } from "./owner";
import { type Deadline, deadlineOf, lastStep, lateWords } from "./status/deadline";
import { type FailedPods, currentRevision } from "./status/failedPods";
import { pausedWords } from "./status/paused";
import { isFinished, podFailure, podsBelow, podsOf, unready, unschedulable } from "./status/pods";
import { besides, nothingRolledOut, rolloutOf } from "./status/rollout";
import type { Situation } from "./status/situation";
import { withWayOut } from "./status/surge";
import { terminating } from "./status/terminating";
import type { Outcome } from "./sync/childSync";
import type { ObservedPod, ObservedService } from "./types";

/** What came of the children in this pass. */
export interface Outcomes {
  workload: Outcome;
  service: Outcome;
  /** The workload of before spec.workload was changed, which has to go. */
  former: Outcome;
  /** Pods that the workload's controller cannot create. */
  pods: Outcome;
}

type WorkloadCaches = Pick<Caches, "deployments" | "statefulSets">;

/** Whether the workload that is wanted serves all that is wanted, so that one of the other kind is of no more use. */
export function hasTakenOver(memcached: Memcached, caches: WorkloadCaches): boolean {
  const { workload, size } = withDefaults(memcached.spec);
  if (!workloadOf(caches, formerKind[workload], memcached)) return false;
  const live = workloadOf(caches, workload, memcached);
  return live !== undefined && rolloutOf(workload, live, size).done;
}

/** Whether servers of a Deployment that a StatefulSet takes over from are there, or have yet to end. */
export function isTakingOver(memcached: Memcached, caches: WorkloadCaches & Pick<Caches, "pods">): boolean {
  if (withDefaults(memcached.spec).workload !== "StatefulSet") return false;
  if (workloadOf(caches, "Deployment", memcached)) return true;
  const pods = caches.pods.byIndex(byInstance, instanceKey(keyOf(memcached)));
  return pods.some((pod) => controllerOf(pod)?.kind === "ReplicaSet" && !isFinished(pod));
}

/** How things stand with a Memcached. */
export interface Observation {
  situation: Situation;
  pods: ObservedPod[];
  /** When it stands otherwise although nothing happens: milliseconds from now. */
  changesInMs?: number;
}

/** How things stand with a Memcached, as far as the caches and this pass tell. */
export function observe(
  memcached: Memcached,
  outcomes: Outcomes,
  caches: WorkloadCaches & Pick<Caches, "services" | "pods" | "replicaSets">,
  failedPods: FailedPods,
  now: Date,
): Observation {
  const { workload: kind, size } = withDefaults(memcached.spec);
  const key = keyOf(memcached);
  const instance = instanceKey(key);
  // The answer to a write of this pass is in the cache by now, or something newer is.
  const live = workloadOf(caches, kind, memcached);
  const former = workloadOf(caches, formerKind[kind], memcached);
  const named: ObservedService | undefined = caches.services.get(key);
  const served = named && isControlledBy(named, memcached.metadata.uid) ? named : undefined;
  const replicaSets = caches.replicaSets.byIndex(byInstance, instance);
  const labelled = caches.pods.byIndex(byInstance, instance);
  const of = (uids: (string | undefined)[]) => podsOf(uids, labelled, replicaSets);
  const wanted = of([live?.metadata.uid]);
  const fail = failedPods.of(instance, () => currentRevision(kind, live, replicaSets));
  const replicaFailure = outcomes.pods.problem?.message;
  const counted = live ? rolloutOf(kind, live, size) : nothingRolledOut;
  const paused = live && pausedWords(kind, live, counted, size, replicaSets);
  // A Deployment puts others in the place of pods that do not end.
  const waitsForPods = kind === "StatefulSet" && !counted.done;
  const below = waitsForPods ? podsBelow([live?.metadata.uid], labelled, replicaSets) : [];
  const ending = terminating(
    below.filter(({ metadata }) => metadata.deletionTimestamp),
    now,
  );
  const before = former && rolloutOf(formerKind[kind], former, size);
  const { workload, service } = outcomes;
  const situation: Situation = {
    name: memcached.metadata.name,
    size,
    workload: kind,
    former: former && { kind: formerKind[kind], size: former.spec?.replicas ?? 1, ready: before?.ready ?? 0 },
    ending: endingOf(memcached, outcomes),
    invalid: workload.invalid ?? service.invalid,
    workloadProblem: workload.problem,
    workloadExists: live !== undefined,
    resizing: live?.spec?.replicas !== size,
    serviceProblem: service.problem,
    formerProblem: outcomes.former.problem,
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
  if (replicaFailure) situation.rollout = { ...situation.rollout, replicaFailure };
  const deadline =
    isThrough(situation) || paused !== undefined ? undefined : deadlineFor(memcached, [live, served], wanted, now);
  if (deadline === "late") {
    const deadlineExceeded = situation.rollout.deadlineExceeded ?? lateWords(wanted, size);
    situation.rollout = { ...situation.rollout, deadlineExceeded };
  }
  const changes = [fail?.forMs, ending.changesInMs, deadline === "late" ? undefined : deadline].filter(
    (ms) => ms !== undefined,
  );
  const pods = former ? of([live?.metadata.uid, former.metadata.uid]) : wanted;
  const told = withWayOut(situation, withDefaults(memcached.spec));
  return { situation: told, pods, ...(changes.length > 0 && { changesInMs: Math.min(...changes) }) };
}

function isThrough({ rollout, waitingFor, addressAwaited }: Situation): boolean {
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

function endingOf({ metadata }: Memcached, outcomes: Outcomes): Situation["ending"] {
  if (metadata.deletionTimestamp) return "deleted";
  return Object.values(outcomes).some(({ ending }) => ending === "namespace") ? "namespace" : undefined;
}
