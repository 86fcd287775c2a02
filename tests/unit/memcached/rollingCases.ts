import type { ObservedState } from "../../../operator/memcached/status/observedState";
import {
  type Expected,
  created,
  fine,
  patient,
  done,
  roll,
  conflict,
  conflicted,
  upWhileRolling,
  oneUp,
  badImage,
  evicted,
  noRoom,
  paused,
  stuck,
  takingOver,
  takenOver,
} from "./conditionWords";
import { rolledOut, rollout, observedState } from "./fixtures";

/** The rows of the table from where a pod cannot run, in its order. */
export const rollingCases: [string, ObservedState, Expected][] = [
  [
    "A pod cannot run (its image cannot be pulled, it keeps crashing, …); enough servers are available",
    observedState({ podFailure: badImage, rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: `True ImagePullBackOff: ${badImage.message}`,
      Ready: `False ImagePullBackOff: ${badImage.message}`,
    },
  ],
  [
    "A pod cannot run (its image cannot be pulled, it keeps crashing, …); too few servers are available",
    observedState({ podFailure: badImage, rollout: oneUp }),
    {
      Available: `False ImagePullBackOff: 1 of 3 servers are available: ${badImage.message}`,
      Progressing: roll(2, 1),
      Degraded: `True ImagePullBackOff: ${badImage.message}`,
      Ready: `False ImagePullBackOff: ${badImage.message}`,
    },
  ],
  [
    "Pods fail repeatedly (evicted by their node, …), but the current ones are ready",
    observedState({ podsFail: evicted }),
    {
      Available: created,
      Progressing: done,
      Degraded: `True Evicted: ${evicted.message}`,
      Ready: `False Evicted: ${evicted.message}`,
    },
  ],
  [
    "Pods fail repeatedly (evicted by their node, …); enough servers are available",
    observedState({ podsFail: evicted, rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: `True Evicted: ${evicted.message}`,
      Ready: `False Evicted: ${evicted.message}`,
    },
  ],
  [
    "Pods fail repeatedly (evicted by their node, …); too few servers are available",
    observedState({ podsFail: evicted, rollout: oneUp }),
    {
      Available: `False Evicted: 1 of 3 servers are available: ${evicted.message}`,
      Progressing: roll(2, 1),
      Degraded: `True Evicted: ${evicted.message}`,
      Ready: `False Evicted: ${evicted.message}`,
    },
  ],
  [
    "A pod of a StatefulSet does not terminate (a finalizer, a lost node), so it is not replaced; enough servers are available",
    observedState({ podTerminating: stuck, rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: `True PodTerminating: ${stuck.message}`,
      Ready: `False PodTerminating: ${stuck.message}`,
    },
  ],
  [
    "A pod of a StatefulSet does not terminate (a finalizer, a lost node), so it is not replaced; too few servers are available",
    observedState({ podTerminating: stuck, rollout: oneUp, paused }),
    {
      Available: `False PodTerminating: 1 of 3 servers are available: ${stuck.message}; ${paused}`,
      Progressing: roll(2, 1),
      Degraded: `True PodTerminating: ${stuck.message}; ${paused}`,
      Ready: `False PodTerminating: ${stuck.message}; ${paused}`,
    },
  ],
  [
    "Pods cannot be created (quota, admission); enough servers are available",
    observedState({ rollout: { ...upWhileRolling, replicaFailure: "exceeded quota: pods" } }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: "True ReplicaFailure: exceeded quota: pods",
      Ready: "False ReplicaFailure: exceeded quota: pods",
    },
  ],
  [
    "Pods cannot be created (quota, admission); too few servers are available",
    observedState({ rollout: { ...oneUp, replicaFailure: "exceeded quota: pods" } }),
    {
      Available: "False ReplicaFailure: 1 of 3 servers are available: exceeded quota: pods",
      Progressing: roll(2, 1),
      Degraded: "True ReplicaFailure: exceeded quota: pods",
      Ready: "False ReplicaFailure: exceeded quota: pods",
    },
  ],
  [
    "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be applied, or the operator does not control it; servers roll out; enough servers are available",
    observedState({ otherProblem: conflict, rollout: upWhileRolling }),
    { Available: created, Progressing: roll(1, 3), Degraded: `True ${conflicted}`, Ready: `False ${conflicted}` },
  ],
  [
    "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be applied, or the operator does not control it; servers roll out; too few servers are available",
    observedState({ otherProblem: conflict, rollout: oneUp }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: roll(2, 1),
      Degraded: `True ${conflicted}`,
      Ready: `False ${conflicted}`,
    },
  ],
  [
    "The servers are ready, but the Service of type LoadBalancer has no address yet",
    observedState({ addressAwaited: "Service shop/cache has no address yet" }),
    {
      Available: created,
      Progressing: "True AwaitingAddress: Service shop/cache has no address yet",
      Degraded: patient("Service shop/cache has no address yet"),
      Ready: "False AwaitingAddress: 3 of 3 servers are ready, but Service shop/cache has no address yet",
    },
  ],
  [
    "Ready, with size 0",
    observedState({ size: 0, rollout: rolledOut(0) }),
    {
      Available: "True Reconciling: Deployment for custom resource (cache) with 0 replicas created successfully",
      Progressing: "False RolloutComplete: 0 of 0 servers run the current specification",
      Degraded: fine,
      Ready: "True ServersReady: 0 of 0 servers are ready",
    },
  ],
  [
    "Ready",
    observedState(),
    { Available: created, Progressing: done, Degraded: fine, Ready: "True ServersReady: 3 of 3 servers are ready" },
  ],
  [
    "Changed: the workload's controller has not processed the change yet; enough servers are available",
    observedState({ rollout: { ...rolledOut(3), current: false, done: false } }),
    {
      Available: created,
      Progressing:
        "True Reconciling: The Deployment has been updated, and its controller has not processed the change yet",
      Degraded: fine,
      Ready:
        "False RollingOut: 3 of 3 servers are ready, but the Deployment's controller has not processed the change yet",
    },
  ],
  [
    "Changed: the workload's controller has not processed the change yet; too few servers are available",
    observedState({ rollout: { ...rolledOut(1), current: false, done: false } }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing:
        "True Reconciling: The Deployment has been updated, and its controller has not processed the change yet",
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
  [
    "The rollout is paused, by kubectl rollout pause of the Deployment or by a partition of the StatefulSet; enough servers are available",
    observedState({ rollout: { ...upWhileRolling, updated: 0 }, paused }),
    {
      Available: created,
      Progressing: `False RolloutPaused: ${paused}`,
      Degraded: patient(paused),
      Ready: `False RolloutPaused: 3 of 3 servers are ready, but ${paused}`,
    },
  ],
  [
    "The rollout is paused, by kubectl rollout pause of the Deployment or by a partition of the StatefulSet; too few servers are available",
    observedState({ rollout: oneUp, paused, unschedulable: noRoom("cache-3") }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: `False RolloutPaused: ${paused}`,
      Degraded: patient(paused),
      Ready: `False RolloutPaused: 1 of 3 servers are ready: ${paused}`,
    },
  ],
  [
    "Rolling out, and no node has room for a pod; enough servers are available",
    observedState({ rollout: upWhileRolling, unschedulable: noRoom("cache-4") }),
    {
      Available: created,
      Progressing: "True Unschedulable: pod cache-4: 0/1 nodes",
      Degraded: patient("pod cache-4: 0/1 nodes"),
      Ready: "False Unschedulable: 3 of 3 servers are ready, but pod cache-4: 0/1 nodes",
    },
  ],
  [
    "Rolling out, and no node has room for a pod; too few servers are available",
    observedState({ rollout: oneUp, unschedulable: noRoom("cache-3") }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: "True Unschedulable: pod cache-3: 0/1 nodes",
      Degraded: patient("pod cache-3: 0/1 nodes"),
      Ready: "False Unschedulable: 1 of 3 servers are ready: pod cache-3: 0/1 nodes",
    },
  ],
  [
    "spec.workload was changed: the new workload replaces the old one; enough servers are available",
    observedState(takenOver),
    {
      Available: created,
      Progressing: takingOver(1),
      Degraded: fine,
      Ready:
        "False RollingOut: 3 of 3 servers are ready, but the StatefulSet replaces the Deployment, and 0 of its 3 servers are ready",
    },
  ],
  [
    "spec.workload was changed: the new workload replaces the old one; too few servers are available",
    observedState({ ...takenOver, rollout: rollout({ updated: 0, ready: 1, available: 1 }) }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: takingOver(0),
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
  [
    "Rolling out; enough servers are available",
    observedState({ rollout: upWhileRolling }),
    {
      Available: created,
      Progressing: roll(1, 3),
      Degraded: fine,
      Ready: "False RollingOut: 3 of 3 servers are ready, but 1 of 3 run the current specification",
    },
  ],
  [
    "Rolling out; too few servers are available",
    observedState({ rollout: oneUp }),
    {
      Available: "False ServersUnavailable: 1 of 3 servers are available",
      Progressing: roll(2, 1),
      Degraded: fine,
      Ready: "False RollingOut: 1 of 3 servers are ready",
    },
  ],
];
