import type { Situation } from "../../../operator/memcached/status/situation";
import { rolledOut, rollout, situation } from "./fixtures";

type Expected = Record<"Available" | "Progressing" | "Degraded" | "Ready", string> | undefined;

const created = "True Reconciling: Deployment for custom resource (cache) with 3 replicas created successfully";
const starting = "Unknown Reconciling: Starting reconciliation";
const fine = "False AsExpected: Nothing stands in the way";
const done = "False RolloutComplete: 3 of 3 servers run the current specification";
const roll = (updated: number, available: number) =>
  `True RollingOut: ${updated} of 3 servers run the current specification, ${available} of 3 are available`;
export const problem = { reason: "QuotaExceeded", message: "exceeded quota: small" };
const quota = "QuotaExceeded: exceeded quota: small";
export const conflict = { reason: "ResourceConflict", message: "Service shop/cache exists" };
const conflicted = "ResourceConflict: Service shop/cache exists";
const blocked = (text: string) => ({
  Progressing: `False ${text}`,
  Degraded: `True ${text}`,
  Ready: `False ${text}`,
});
const upWhileRolling = rollout({ replicas: 4, updated: 1, ready: 3, available: 3 });
export const oneUp = rollout({ replicas: 3, updated: 2, ready: 1, available: 1 });
const badImage = { reason: "ImagePullBackOff", message: "pod cache-1, container memcached: not found" };

const noRoom = (pod: string) => ({ reason: "Unschedulable", message: `pod ${pod}: 0/1 nodes` });
const takingOver = (updated: number) =>
  `True RollingOut: The StatefulSet takes over from the Deployment: ${updated} of 3 servers run the current specification`;
/** A StatefulSet that starts beside the Deployment of before. */
const takenOver = {
  workload: "StatefulSet" as const,
  former: { kind: "Deployment" as const, size: 3 },
  rollout: rollout({ seen: false, replicas: 4, updated: 1, ready: 3, available: 3 }),
};

/** One case a row of the table, in its order. */
export const cases: [string, Situation, Expected][] = [
  ["The resource is being deleted", situation({ ending: "deleted" }), undefined],
  ["The namespace is being deleted", situation({ ending: "namespace" }), undefined],
  [
    "The spec cannot be understood; the servers wanted are available",
    situation({ invalid: { reason: "InvalidSpec", message: "spec: no" } }),
    { Available: created, ...blocked("InvalidSpec: spec: no") },
  ],
  [
    "The spec cannot be understood; servers are missing",
    situation({ invalid: { reason: "InvalidSpec", message: "spec: no" }, rollout: oneUp }),
    { Available: "False InvalidSpec: 1 of 3 servers are available: spec: no", ...blocked("InvalidSpec: spec: no") },
  ],
  [
    "The workload cannot be created, or the one of that name is not ours; the servers wanted are available",
    situation({ workloadProblem: problem, workloadExists: false, ...takenOver }),
    { Available: created, ...blocked(quota) },
  ],
  [
    "The workload cannot be created, or the one of that name is not ours; servers are missing",
    situation({
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
    "The workload cannot be resized; servers are missing",
    situation({ workloadProblem: problem, resizing: true, rollout: oneUp }),
    {
      Available: "False Resizing: Failed to update the size for the custom resource (cache): (exceeded quota: small)",
      ...blocked(quota),
    },
  ],
  [
    "The workload cannot be updated; the servers wanted are available",
    situation({ workloadProblem: problem }),
    { Available: created, ...blocked(quota) },
  ],
  [
    "The workload cannot be updated; servers are missing",
    situation({ workloadProblem: problem, rollout: oneUp }),
    { Available: "False QuotaExceeded: 1 of 3 servers are available: exceeded quota: small", ...blocked(quota) },
  ],
  [
    "A child has to wait: one of its name is not gone yet, or the API server does not know the kind yet; the servers wanted are available",
    situation({ waitingFor: "Service shop/cache is being deleted" }),
    {
      Available: created,
      Progressing: "True Waiting: Service shop/cache is being deleted",
      Degraded: fine,
      Ready: "False Waiting: Service shop/cache is being deleted",
    },
  ],
  [
    "A child has to wait: one of its name is not gone yet, or the API server does not know the kind yet; servers are missing",
    situation({
      waitingFor: "Deployment shop/cache is being deleted",
      workloadExists: false,
      rollout: rollout({ seen: false }),
    }),
    {
      Available: starting,
      Progressing: "True Waiting: Deployment shop/cache is being deleted",
      Degraded: fine,
      Ready: "False Waiting: Deployment shop/cache is being deleted",
    },
  ],
  [
    "The Service cannot be what it should be, or is not ours; the workload is new",
    situation({ serviceProblem: conflict, rollout: rollout({ seen: false }) }),
    {
      Available: starting,
      Progressing: "True Reconciling: Starting reconciliation",
      Degraded: `True ${conflicted}`,
      Ready: `False ${conflicted}`,
    },
  ],
  [
    "The Service cannot be what it should be, or is not ours; the rollout is done",
    situation({ serviceProblem: conflict }),
    { Available: created, Progressing: done, Degraded: `True ${conflicted}`, Ready: `False ${conflicted}` },
  ],
  [
    "New: the workload has just been created",
    situation({ rollout: rollout({ seen: false }) }),
    {
      Available: starting,
      Progressing: "True Reconciling: Starting reconciliation",
      Degraded: fine,
      Ready: "False Reconciling: Starting reconciliation",
    },
  ],
  [
    "spec.workload has been changed, and the workload of before cannot be removed",
    situation({ ...takenOver, formerProblem: problem }),
    { Available: created, ...blocked(quota) },
  ],
  [
    "The rollout did not finish in time; the servers wanted are available",
    situation({ rollout: { ...upWhileRolling, deadlineExceeded: "too slow." } }),
    { Available: created, ...blocked("ProgressDeadlineExceeded: too slow.") },
  ],
  [
    "The rollout did not finish in time; servers are missing",
    situation({
      rollout: { ...oneUp, deadlineExceeded: "too slow." },
      unschedulable: noRoom("cache-1"),
    }),
    {
      Available: "False ProgressDeadlineExceeded: 1 of 3 servers are available: too slow. pod cache-1: 0/1 nodes",
      ...blocked("ProgressDeadlineExceeded: too slow. pod cache-1: 0/1 nodes"),
    },
  ],
  [
    "A pod cannot run (its image cannot be pulled, it crashes again and again, …); the servers wanted are available",
    situation({ podFailure: badImage, rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: `True ImagePullBackOff: ${badImage.message}`,
      Ready: `False ImagePullBackOff: ${badImage.message}`,
    },
  ],
  [
    "A pod cannot run (its image cannot be pulled, it crashes again and again, …); servers are missing",
    situation({ podFailure: badImage, rollout: oneUp }),
    {
      Available: `False ImagePullBackOff: 1 of 3 servers are available: ${badImage.message}`,
      Progressing: roll(2, 1),
      Degraded: `True ImagePullBackOff: ${badImage.message}`,
      Ready: `False ImagePullBackOff: ${badImage.message}`,
    },
  ],
  [
    "Pods cannot be created (quota, admission); the servers wanted are available",
    situation({ rollout: { ...upWhileRolling, replicaFailure: "exceeded quota: pods" } }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: "True ReplicaFailure: exceeded quota: pods",
      Ready: "False ReplicaFailure: exceeded quota: pods",
    },
  ],
  [
    "Pods cannot be created (quota, admission); servers are missing",
    situation({ rollout: { ...oneUp, replicaFailure: "exceeded quota: pods" } }),
    {
      Available: "False ReplicaFailure: 1 of 3 servers are available: exceeded quota: pods",
      Progressing: roll(2, 1),
      Degraded: "True ReplicaFailure: exceeded quota: pods",
      Ready: "False ReplicaFailure: exceeded quota: pods",
    },
  ],
  [
    "The Service cannot be what it should be, or is not ours; servers roll out; the servers wanted are available",
    situation({ serviceProblem: conflict, rollout: upWhileRolling }),
    { Available: created, Progressing: roll(1, 3), Degraded: `True ${conflicted}`, Ready: `False ${conflicted}` },
  ],
  [
    "The Service cannot be what it should be, or is not ours; servers roll out; servers are missing",
    situation({ serviceProblem: conflict, rollout: oneUp }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: roll(2, 1),
      Degraded: `True ${conflicted}`,
      Ready: `False ${conflicted}`,
    },
  ],
  [
    "Ready, with size 0: no servers are wanted",
    situation({ size: 0, rollout: rolledOut(0) }),
    {
      Available: "True Reconciling: Deployment for custom resource (cache) with 0 replicas created successfully",
      Progressing: "False RolloutComplete: 0 of 0 servers run the current specification",
      Degraded: fine,
      Ready: "True ServersReady: 0 of 0 servers are ready",
    },
  ],
  [
    "Ready",
    situation(),
    { Available: created, Progressing: done, Degraded: fine, Ready: "True ServersReady: 3 of 3 servers are ready" },
  ],
  [
    "Changed: the workload's controller has yet to take it up; the servers wanted are available",
    situation({ rollout: { ...rolledOut(3), current: false, done: false } }),
    {
      Available: created,
      Progressing: "True Reconciling: The change has been handed to the Deployment",
      Degraded: fine,
      Ready: "False RollingOut: 3 of 3 servers are ready",
    },
  ],
  [
    "Changed: the workload's controller has yet to take it up; servers are missing",
    situation({ rollout: { ...rolledOut(1), current: false, done: false } }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: "True Reconciling: The change has been handed to the Deployment",
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
  [
    "Rolling, and no node has room for a pod; the servers wanted are available",
    situation({ rollout: upWhileRolling, unschedulable: noRoom("cache-4") }),
    {
      Available: created,
      Progressing: "True Unschedulable: pod cache-4: 0/1 nodes",
      Degraded: fine,
      Ready: "False Unschedulable: 3 of 3 servers are ready: pod cache-4: 0/1 nodes",
    },
  ],
  [
    "Rolling, and no node has room for a pod; servers are missing",
    situation({ rollout: oneUp, unschedulable: noRoom("cache-3") }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: "True Unschedulable: pod cache-3: 0/1 nodes",
      Degraded: fine,
      Ready: "False Unschedulable: 1 of 3 servers are ready: pod cache-3: 0/1 nodes",
    },
  ],
  [
    "spec.workload has been changed: the new workload takes over from the one of before; the servers wanted are available",
    situation(takenOver),
    {
      Available: created,
      Progressing: takingOver(1),
      Degraded: fine,
      Ready: "False RollingOut: 3 of 3 servers are ready",
    },
  ],
  [
    "spec.workload has been changed: the new workload takes over from the one of before; servers are missing",
    situation({ ...takenOver, rollout: rollout({ updated: 0, ready: 1, available: 1 }) }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: takingOver(0),
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
  [
    "Rolling; the servers wanted are available",
    situation({ rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: fine,
      Ready: "False RollingOut: 3 of 3 servers are ready",
    },
  ],
  [
    "Rolling; servers are missing",
    situation({ rollout: oneUp }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: roll(2, 1),
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
];
