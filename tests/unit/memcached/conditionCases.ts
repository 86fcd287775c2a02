import type { ObservedState } from "../../../operator/memcached/status/observedState";
import {
  type Expected,
  created,
  starting,
  fine,
  patient,
  done,
  problem,
  quota,
  conflict,
  conflicted,
  blocked,
  upWhileRolling,
  oneUp,
  noRoom,
  takenOver,
} from "./conditionWords";
import { rollout, observedState } from "./fixtures";
import { rollingCases } from "./rollingCases";

/** One case a row of the table, in its order. */
export const cases: [string, ObservedState, Expected][] = [
  ["The resource is being deleted", observedState({ terminating: "memcached" }), undefined],
  ["The namespace is being deleted", observedState({ terminating: "namespace" }), undefined],
  [
    "The spec is invalid; enough servers are available",
    observedState({ invalid: { reason: "InvalidSpec", message: "spec: no" } }),
    { Available: created, ...blocked("InvalidSpec: spec: no") },
  ],
  [
    "The spec is invalid; too few servers are available",
    observedState({ invalid: { reason: "InvalidSpec", message: "spec: no" }, rollout: oneUp }),
    { Available: "False InvalidSpec: 1 of 3 servers are available: spec: no", ...blocked("InvalidSpec: spec: no") },
  ],
  [
    "The workload cannot be created, or the operator does not control the existing one; enough servers are available",
    observedState({ workloadProblem: problem, workloadExists: false, ...takenOver }),
    { Available: created, ...blocked(quota) },
  ],
  [
    "The workload cannot be created, or the operator does not control the existing one; too few servers are available",
    observedState({
      workloadProblem: problem,
      workloadExists: false,
      resizing: true,
      rollout: rollout({ seen: false }),
    }),
    {
      Available:
        "False Reconciling: Failed to create Deployment for the custom resource (cache): (exceeded quota: small)",
      ...blocked(quota),
    },
  ],
  [
    "The workload cannot be resized; too few servers are available",
    observedState({ workloadProblem: problem, resizing: true, rollout: oneUp }),
    {
      Available: "False Resizing: Failed to update the size for the custom resource (cache): (exceeded quota: small)",
      ...blocked(quota),
    },
  ],
  [
    "The workload cannot be updated; enough servers are available",
    observedState({ workloadProblem: problem }),
    { Available: created, ...blocked(quota) },
  ],
  [
    "The workload cannot be updated; too few servers are available",
    observedState({ workloadProblem: problem, rollout: oneUp }),
    { Available: "False QuotaExceeded: 1 of 3 servers are available: exceeded quota: small", ...blocked(quota) },
  ],
  [
    "The rollout made no progress for 10 minutes; enough servers are available",
    observedState({
      rollout: { ...upWhileRolling, deadlineExceeded: "too slow." },
      unready: { reason: "ContainersNotReady", message: "pod cache-1: containers with unready status: [memcached]" },
    }),
    {
      Available: created,
      ...blocked("ProgressDeadlineExceeded: too slow. pod cache-1: containers with unready status: [memcached]"),
    },
  ],
  [
    "The rollout made no progress for 10 minutes; too few servers are available",
    observedState({
      rollout: { ...oneUp, deadlineExceeded: "too slow." },
      unschedulable: noRoom("cache-1"),
    }),
    {
      Available: "False ProgressDeadlineExceeded: 1 of 3 servers are available: too slow. pod cache-1: 0/1 nodes",
      ...blocked("ProgressDeadlineExceeded: too slow. pod cache-1: 0/1 nodes"),
    },
  ],
  [
    "A child must wait: an old one of its name is being deleted, or the API server does not know the kind yet; enough servers are available",
    observedState({ waitingFor: "Service shop/cache is being deleted" }),
    {
      Available: created,
      Progressing: "True Waiting: Service shop/cache is being deleted",
      Degraded: patient("Service shop/cache is being deleted"),
      Ready: "False Waiting: Service shop/cache is being deleted",
    },
  ],
  [
    "A child must wait: an old one of its name is being deleted, or the API server does not know the kind yet; too few servers are available",
    observedState({
      waitingFor: "Deployment shop/cache is being deleted",
      workloadExists: false,
      rollout: rollout({ seen: false }),
    }),
    {
      Available: starting,
      Progressing: "True Waiting: Deployment shop/cache is being deleted",
      Degraded: patient("Deployment shop/cache is being deleted"),
      Ready: "False Waiting: Deployment shop/cache is being deleted",
    },
  ],
  [
    "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be applied, or the operator does not control it; the workload is new",
    observedState({ otherProblem: conflict, rollout: rollout({ seen: false }) }),
    {
      Available: starting,
      Progressing: "True Reconciling: Starting reconciliation",
      Degraded: `True ${conflicted}`,
      Ready: `False ${conflicted}`,
    },
  ],
  [
    "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be applied, or the operator does not control it; the rollout is done",
    observedState({ otherProblem: conflict }),
    { Available: created, Progressing: done, Degraded: `True ${conflicted}`, Ready: `False ${conflicted}` },
  ],
  [
    "New: the workload has just been created",
    observedState({ rollout: rollout({ seen: false }) }),
    {
      Available: starting,
      Progressing: "True Reconciling: Starting reconciliation",
      Degraded: fine,
      Ready: "False Reconciling: Starting reconciliation",
    },
  ],
  [
    "spec.workload was changed, and the old workload cannot be deleted",
    observedState({ ...takenOver, formerProblem: problem }),
    { Available: created, ...blocked(quota) },
  ],
  ...rollingCases,
];
