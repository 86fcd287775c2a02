import { type ObservedState, serversUp } from "./observedState";

/** Status, reason and message of a condition. Words in braces are placeholders. */
export type Cell = readonly [status: "True" | "False" | "Unknown", reason: string, message: string];

/** The four conditions in one state. The first row whose `when` is true applies. */
export interface Row {
  description: string;
  when: (s: ObservedState) => boolean;
  /** Left out: nothing is written, so the conditions stay as they are. */
  conditions?: { Available: Cell; Progressing: Cell; Degraded: Cell; Ready: Cell };
}

/** The meaning of the words in braces. */
export const placeholders: Record<string, string> = {
  name: "the resource's name",
  size: "desired servers",
  workload: "what runs the servers: Deployment or StatefulSet",
  serving: "the same; after a change of spec.workload, the old workload as long as it exists",
  updated: "servers with the current specification",
  available: "available servers",
  ready: "ready servers",
  reason: "the reason of the problem; of the most serious one, if there are several",
  error: "the problems, with the messages of the API server, the kubelet or the scheduler",
  awaited: "what the rollout waits for although enough servers are ready",
};

const created: Cell = [
  "True",
  "Reconciling",
  "{serving} for custom resource ({name}) with {size} replicas created successfully",
];
const createFailed: Cell = [
  "False",
  "Reconciling",
  "Failed to create {workload} for the custom resource ({name}): ({error})",
];
const resizeFailed: Cell = [
  "False",
  "Resizing",
  "Failed to update the size for the custom resource ({name}): ({error})",
];
const starting: Cell = ["Unknown", "Reconciling", "Starting reconciliation"];
const tooFew: Cell = ["False", "ServersUnavailable", "{available} of {size} servers are available"];
const broken: Cell = ["False", "{reason}", "{available} of {size} servers are available: {error}"];

const reconciling: Cell = ["True", "Reconciling", "Starting reconciliation"];
const updated: Cell = [
  "True",
  "Reconciling",
  "The {workload} has been updated, and its controller has not processed the change yet",
];
const waiting: Cell = ["True", "Waiting", "{error}"];
const rolling: Cell = [
  "True",
  "RollingOut",
  "{updated} of {size} servers run the current specification, {available} of {size} are available",
];
const replacing: Cell = [
  "True",
  "RollingOut",
  "The {workload} replaces the {serving}: {updated} of {size} servers run the current specification",
];
const unplaced: Cell = ["True", "Unschedulable", "{error}"];
const awaitingAddress: Cell = ["True", "AwaitingAddress", "{error}"];
const rolledOut: Cell = ["False", "RolloutComplete", "{size} of {size} servers run the current specification"];
const stopped: Cell = ["False", "{reason}", "{error}"];
const tooLate: Cell = ["False", "ProgressDeadlineExceeded", "{error}"];

const fine: Cell = ["False", "AsExpected", "No problems"];
const patient: Cell = ["False", "AsExpected", "Nothing has failed, but {error}"];
const degraded: Cell = ["True", "{reason}", "{error}"];

const ready: Cell = ["True", "ServersReady", "{ready} of {size} servers are ready"];
const notReady: Cell = ["False", "{reason}", "{error}"];
const notYetReady: Cell = ["False", "RollingOut", "{ready} of {size} servers are ready"];
const notYetComplete: Cell = ["False", "RollingOut", "{ready} of {size} servers are ready, but {awaited}"];
const notPlaced: Cell = ["False", "Unschedulable", "{ready} of {size} servers are ready: {error}"];
const notAllPlaced: Cell = ["False", "Unschedulable", "{ready} of {size} servers are ready, but {error}"];
const paused: Cell = ["False", "RolloutPaused", "{error}"];
const notResumed: Cell = ["False", "RolloutPaused", "{ready} of {size} servers are ready: {error}"];
const notAllResumed: Cell = ["False", "RolloutPaused", "{ready} of {size} servers are ready, but {error}"];
const notReached: Cell = ["False", "AwaitingAddress", "{ready} of {size} servers are ready, but {error}"];
const notWaited: Cell = ["False", "Waiting", "{error}"];
const notStarted: Cell = ["False", "Reconciling", "Starting reconciliation"];

const blocked = { Progressing: stopped, Degraded: degraded, Ready: notReady };
const brokenRollout = { ...blocked, Progressing: rolling };
const rollingOut = { Progressing: rolling, Degraded: fine, Ready: notYetReady };

type When = Row["when"];
const otherRefused: When = (s) => s.otherProblem !== undefined;
const done: When = (s) => s.rollout.done;
const isNew: When = (s) => !s.rollout.seen && s.former === undefined;

/** Two rows: while enough servers are available, and while too few are. */
function upAndDown(
  description: string,
  when: When,
  down: Cell,
  rest: Omit<NonNullable<Row["conditions"]>, "Available">,
  Ready = rest.Ready,
): Row[] {
  return [
    {
      description: `${description}; enough servers are available`,
      when: (s) => when(s) && serversUp(s),
      conditions: { Available: created, ...rest, Ready },
    },
    { description: `${description}; too few servers are available`, when, conditions: { Available: down, ...rest } },
  ];
}

const otherIsRefused =
  "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be applied, or the operator does not control it";

/** The decision table of the four conditions. docs/conditions.md is generated from it. */
export const conditionsTable: Row[] = [
  { description: "The resource is being deleted", when: (s) => s.terminating === "memcached" },
  { description: "The namespace is being deleted", when: (s) => s.terminating === "namespace" },
  ...upAndDown("The spec is invalid", (s) => s.invalid !== undefined, broken, blocked),
  ...upAndDown(
    "The workload cannot be created, or the operator does not control the existing one",
    (s) => s.workloadProblem !== undefined && !s.workloadExists,
    createFailed,
    blocked,
  ),
  {
    description: "The workload cannot be resized; too few servers are available",
    when: (s) => s.workloadProblem !== undefined && s.resizing && !serversUp(s),
    conditions: { Available: resizeFailed, ...blocked },
  },
  ...upAndDown("The workload cannot be updated", (s) => s.workloadProblem !== undefined, broken, blocked),
  ...upAndDown("The rollout made no progress for 10 minutes", (s) => s.rollout.deadlineExceeded !== undefined, broken, {
    ...blocked,
    Progressing: tooLate,
  }),
  ...upAndDown(
    "A child must wait: an old one of its name is being deleted, or the API server does not know the kind yet",
    (s) => s.waitingFor !== undefined,
    starting,
    { Progressing: waiting, Degraded: patient, Ready: notWaited },
  ),
  {
    description: `${otherIsRefused}; the workload is new`,
    when: (s) => otherRefused(s) && isNew(s),
    conditions: { Available: starting, ...blocked, Progressing: reconciling },
  },
  {
    description: `${otherIsRefused}; the rollout is done`,
    when: (s) => otherRefused(s) && done(s),
    conditions: { Available: created, ...blocked, Progressing: rolledOut },
  },
  {
    description: "New: the workload has just been created",
    when: isNew,
    conditions: { Available: starting, Progressing: reconciling, Degraded: fine, Ready: notStarted },
  },
  {
    description: "spec.workload was changed, and the old workload cannot be deleted",
    when: (s) => s.formerProblem !== undefined,
    conditions: { Available: created, ...blocked },
  },
  ...upAndDown(
    "A pod cannot run (its image cannot be pulled, it keeps crashing, …)",
    (s) => s.podFailure !== undefined && !done(s),
    broken,
    brokenRollout,
  ),
  {
    description: "Pods fail repeatedly (evicted by their node, …), but the current ones are ready",
    when: (s) => s.podsFail !== undefined && done(s),
    conditions: { Available: created, ...blocked, Progressing: rolledOut },
  },
  ...upAndDown(
    "Pods fail repeatedly (evicted by their node, …)",
    (s) => s.podsFail !== undefined,
    broken,
    brokenRollout,
  ),
  ...upAndDown(
    "A pod of a StatefulSet does not terminate (a finalizer, a lost node), so it is not replaced",
    (s) => s.podTerminating !== undefined && !done(s),
    broken,
    brokenRollout,
  ),
  ...upAndDown(
    "Pods cannot be created (quota, admission)",
    (s) => s.rollout.replicaFailure !== undefined,
    broken,
    brokenRollout,
  ),
  ...upAndDown(`${otherIsRefused}; servers roll out`, otherRefused, tooFew, brokenRollout),
  {
    description: "The servers are ready, but the Service of type LoadBalancer has no address yet",
    when: (s) => done(s) && s.addressAwaited !== undefined,
    conditions: { Available: created, Progressing: awaitingAddress, Degraded: patient, Ready: notReached },
  },
  {
    description: "Ready, with size 0",
    when: (s) => done(s) && s.size === 0,
    conditions: { Available: created, Progressing: rolledOut, Degraded: fine, Ready: ready },
  },
  {
    description: "Ready",
    when: done,
    conditions: { Available: created, Progressing: rolledOut, Degraded: fine, Ready: ready },
  },
  ...upAndDown(
    "Changed: the workload's controller has not processed the change yet",
    (s) => !s.rollout.current && s.former === undefined,
    tooFew,
    { ...rollingOut, Progressing: updated },
    notYetComplete,
  ),
  ...upAndDown(
    "The rollout is paused, by kubectl rollout pause of the Deployment or by a partition of the StatefulSet",
    (s) => s.paused !== undefined,
    tooFew,
    { Progressing: paused, Degraded: patient, Ready: notResumed },
    notAllResumed,
  ),
  ...upAndDown(
    "Rolling out, and no node has room for a pod",
    (s) => s.unschedulable !== undefined,
    tooFew,
    { Progressing: unplaced, Degraded: patient, Ready: notPlaced },
    notAllPlaced,
  ),
  ...upAndDown(
    "spec.workload was changed: the new workload replaces the old one",
    (s) => s.former !== undefined,
    tooFew,
    { ...rollingOut, Progressing: replacing },
    notYetComplete,
  ),
  ...upAndDown("Rolling out", () => true, tooFew, rollingOut, notYetComplete),
];
