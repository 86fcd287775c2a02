import { type Memcached, withDefaults } from "../../api";
import { keyOf } from "../runtime";
import { type Caches, byInstance, instanceKey } from "./caches";
import { isControlledBy } from "./owner";
import { podFailure, podsOf, unschedulable } from "./status/pods";
import { nothingRolledOut, rolloutOf } from "./status/rollout";
import type { Situation } from "./status/situation";
import type { Outcome } from "./sync/childSync";
import type { ObservedDeployment, ObservedPod } from "./types";

/** What came of the children in this pass. */
export interface Outcomes {
  deployment: Outcome;
  service: Outcome;
}

/** How things stand with a Memcached, as far as the caches and this pass tell. */
export function observe(
  memcached: Memcached,
  { deployment, service }: Outcomes,
  caches: Pick<Caches, "deployments" | "pods" | "replicaSets">,
): { situation: Situation; pods: ObservedPod[] } {
  const { size } = withDefaults(memcached.spec);
  const instance = instanceKey(keyOf(memcached));
  // The answer to an apply of this pass is in the cache by now, or something newer is.
  const found = caches.deployments.get(keyOf(memcached));
  const live = found && isControlledBy(found, memcached.metadata.uid) ? (found as ObservedDeployment) : undefined;
  const pods = podsOf(
    live?.metadata.uid,
    caches.pods.byIndex(byInstance, instance),
    caches.replicaSets.byIndex(byInstance, instance),
  );
  const situation: Situation = {
    name: memcached.metadata.name,
    size,
    ending: endingOf(memcached, deployment, service),
    invalid: deployment.invalid ?? service.invalid,
    deploymentProblem: deployment.problem,
    deploymentExists: live !== undefined,
    resizing: live?.spec?.replicas !== size,
    serviceProblem: service.problem,
    waitingFor: deployment.waitingFor ?? service.waitingFor,
    rollout: live ? rolloutOf(live, size) : nothingRolledOut,
    podFailure: podFailure(pods),
    unschedulable: unschedulable(pods),
  };
  return { situation, pods };
}

function endingOf({ metadata }: Memcached, ...outcomes: Outcome[]): Situation["ending"] {
  if (metadata.deletionTimestamp) return "deleted";
  return outcomes.some(({ ending }) => ending === "namespace") ? "namespace" : undefined;
}
