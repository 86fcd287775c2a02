import { type Memcached, withDefaults } from "../../api";
import { keyOf } from "../runtime";
import { type Caches, byInstance, instanceKey, workloadOf } from "./caches";
import { formerKind } from "./children/workloads";
import { isControlledBy } from "./owner";
import { podFailure, podsOf, unschedulable } from "./status/pods";
import { besides, nothingRolledOut, rolloutOf } from "./status/rollout";
import type { Situation } from "./status/situation";
import type { Outcome } from "./sync/childSync";
import type { ObservedPod } from "./types";

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

/** How things stand with a Memcached, as far as the caches and this pass tell. */
export function observe(
  memcached: Memcached,
  outcomes: Outcomes,
  caches: WorkloadCaches & Pick<Caches, "services" | "pods" | "replicaSets">,
): { situation: Situation; pods: ObservedPod[] } {
  const { workload: kind, size } = withDefaults(memcached.spec);
  const key = keyOf(memcached);
  const instance = instanceKey(key);
  // The answer to a write of this pass is in the cache by now, or something newer is.
  const live = workloadOf(caches, kind, memcached);
  const former = workloadOf(caches, formerKind[kind], memcached);
  const served = caches.services.get(key);
  const of = (uids: (string | undefined)[]) =>
    podsOf(uids, caches.pods.byIndex(byInstance, instance), caches.replicaSets.byIndex(byInstance, instance));
  const wanted = of([live?.metadata.uid]);
  const replicaFailure = outcomes.pods.problem?.message;
  const counted = live ? rolloutOf(kind, live, size) : nothingRolledOut;
  const rollout = replicaFailure ? { ...counted, replicaFailure } : counted;
  const { workload, service } = outcomes;
  const situation: Situation = {
    name: memcached.metadata.name,
    size,
    workload: kind,
    former: former && { kind: formerKind[kind], size: former.spec?.replicas ?? 1 },
    ending: endingOf(memcached, outcomes),
    invalid: workload.invalid ?? service.invalid,
    workloadProblem: workload.problem,
    workloadExists: live !== undefined,
    resizing: live?.spec?.replicas !== size,
    serviceProblem: service.problem,
    formerProblem: outcomes.former.problem,
    serviceExists: served !== undefined && isControlledBy(served, memcached.metadata.uid),
    waitingFor: workload.waitingFor ?? service.waitingFor,
    rollout: former ? besides(rollout, rolloutOf(formerKind[kind], former, size)) : rollout,
    podFailure: podFailure(wanted),
    unschedulable: unschedulable(wanted),
  };
  return { situation, pods: former ? of([live?.metadata.uid, former.metadata.uid]) : wanted };
}

function endingOf({ metadata }: Memcached, outcomes: Outcomes): Situation["ending"] {
  if (metadata.deletionTimestamp) return "deleted";
  return Object.values(outcomes).some(({ ending }) => ending === "namespace") ? "namespace" : undefined;
}
