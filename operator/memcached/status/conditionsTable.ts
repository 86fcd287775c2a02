import { type ObservedState, serversUp } from "./observedState";

/** Status, reason and message of a condition. Words in braces are filled in: see `placeholders`. */
export type Cell = readonly [status: "True" | "False" | "Unknown", reason: string, message: string];

/** What the four conditions say in one state; the first row of the table whose `when` is true counts. */
export interface Row {
  description: string;
  when: (s: ObservedState) => boolean;
  /** Left out: nothing is written, so the conditions stay as they were. */
  conditions?: { Available: Cell; Progressing: Cell; Degraded: Cell; Ready: Cell };
}

/** What the words in braces stand for. */
export const placeholders: Record<string, string> = {
  name: "the resource's name",
  size: "servers wanted",
  workload: "what runs the servers: Deployment or StatefulSet",
  serving: "the same; while spec.workload is being changed, what still runs them",
  updated: "servers that run the current specification",
  available: "servers that are available",
  ready: "servers that are ready",
  reason: "the reason of what stands in the way, the gravest if there are several",
  error: "what stands in the way, in the words of the API server, the kubelet or the scheduler",
  awaited: "what has yet to happen, although enough servers are ready",
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
const handedOver: Cell = ["True", "Reconciling", "The change has been handed to the {workload}"];
const waiting: Cell = ["True", "Waiting", "{error}"];
const rolling: Cell = [
  "True",
  "RollingOut",
  "{updated} of {size} servers run the current specification, {available} of {size} are available",
];
const takingOver: Cell = [
  "True",
  "RollingOut",
  "The {workload} takes over from the {serving}: {updated} of {size} servers run the current specification",
];
const unplaced: Cell = ["True", "Unschedulable", "{error}"];
const addressless: Cell = ["True", "AwaitingAddress", "{error}"];
const rolledOut: Cell = ["False", "RolloutComplete", "{size} of {size} servers run the current specification"];
const stopped: Cell = ["False", "{reason}", "{error}"];
const tooLate: Cell = ["False", "ProgressDeadlineExceeded", "{error}"];

const fine: Cell = ["False", "AsExpected", "Nothing stands in the way"];
const patient: Cell = ["False", "AsExpected", "Nothing has failed, but {error}"];
const degraded: Cell = ["True", "{reason}", "{error}"];

const ready: Cell = ["True", "ServersReady", "{ready} of {size} servers are ready"];
const notReady: Cell = ["False", "{reason}", "{error}"];
const notYetReady: Cell = ["False", "RollingOut", "{ready} of {size} servers are ready"];
const notYetThrough: Cell = ["False", "RollingOut", "{ready} of {size} servers are ready, but {awaited}"];
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

type When = Row["when"];
const and =
  (...all: When[]): When =>
  (s) =>
    all.every((when) => when(s));
const up: When = serversUp;
const refused: When = (s) => s.workloadProblem !== undefined;
const exists: When = (s) => s.workloadExists;
const replaces: When = (s) => s.former !== undefined;
const otherRefused: When = (s) => s.otherProblem !== undefined;
const seen: When = (s) => s.rollout.seen;
const done: When = (s) => s.rollout.done;
const late: When = (s) => s.rollout.deadlineExceeded !== undefined;
const podBroken: When = (s) => s.podFailure !== undefined && !s.rollout.done;
const failing: When = (s) => s.podsFail !== undefined;
const podTerminating: When = (s) => s.podTerminating !== undefined && !s.rollout.done;
const isPaused: When = (s) => s.paused !== undefined;
const noAddress: When = (s) => s.addressAwaited !== undefined;
const noPods: When = (s) => s.rollout.replicaFailure !== undefined;
const unschedulable: When = (s) => s.unschedulable !== undefined;
const waits: When = (s) => s.waitingFor !== undefined;
const untaken: When = (s) => !s.rollout.current && !replaces(s);
const isNew: When = (s) => !seen(s) && !replaces(s);
const always: When = () => true;

/** The same state while as many servers as desired are available, and while not. */
function upAndDown(
  description: string,
  when: When,
  down: Cell,
  rest: Omit<NonNullable<Row["conditions"]>, "Available">,
  Ready = rest.Ready,
): Row[] {
  return [
    {
      description: `${description}; the servers wanted are available`,
      when: and(when, up),
      conditions: { Available: created, ...rest, Ready },
    },
    { description: `${description}; servers are missing`, when, conditions: { Available: down, ...rest } },
  ];
}

/** The decision table of the four conditions: docs/conditions.md is made from it. */
export const conditionsTable: Row[] = [
  { description: "The resource is being deleted", when: (s) => s.terminating === "memcached" },
  { description: "The namespace is being deleted", when: (s) => s.terminating === "namespace" },
  ...upAndDown("The spec cannot be understood", (s) => s.invalid !== undefined, broken, blocked),
  ...upAndDown(
    "The workload cannot be created, or the one of that name is not ours",
    (s) => refused(s) && !exists(s),
    createFailed,
    blocked,
  ),
  {
    description: "The workload cannot be resized; servers are missing",
    when: (s) => refused(s) && s.resizing && !up(s),
    conditions: { Available: resizeFailed, ...blocked },
  },
  ...upAndDown("The workload cannot be updated", refused, broken, blocked),
  ...upAndDown("The rollout did not finish in time: nothing has come any further for 10 minutes", late, broken, {
    ...blocked,
    Progressing: tooLate,
  }),
  ...upAndDown(
    "A child has to wait: one of its name is not gone yet, or the API server does not know the kind yet",
    waits,
    starting,
    { Progressing: waiting, Degraded: patient, Ready: notWaited },
  ),
  {
    description:
      "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be what it should be, or is not ours; the workload is new",
    when: and(otherRefused, isNew),
    conditions: { Available: starting, ...blocked, Progressing: reconciling },
  },
  {
    description:
      "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be what it should be, or is not ours; the rollout is done",
    when: and(otherRefused, done),
    conditions: { Available: created, ...blocked, Progressing: rolledOut },
  },
  {
    description: "New: the workload has just been created",
    when: isNew,
    conditions: { Available: starting, Progressing: reconciling, Degraded: fine, Ready: notStarted },
  },
  {
    description: "spec.workload has been changed, and the workload of before cannot be removed",
    when: (s) => s.formerProblem !== undefined,
    conditions: { Available: created, ...blocked },
  },
  ...upAndDown(
    "A pod cannot run (its image cannot be pulled, it crashes again and again, …)",
    podBroken,
    broken,
    brokenRollout,
  ),
  {
    description: "Pods end again and again (evicted by their node, …), and those of now are ready",
    when: and(failing, done),
    conditions: { Available: created, ...blocked, Progressing: rolledOut },
  },
  ...upAndDown("Pods end again and again (evicted by their node, …)", failing, broken, brokenRollout),
  ...upAndDown(
    "A pod of a StatefulSet does not end (a finalizer, a lost node), and none takes its place",
    podTerminating,
    broken,
    brokenRollout,
  ),
  ...upAndDown("Pods cannot be created (quota, admission)", noPods, broken, brokenRollout),
  ...upAndDown(
    "The Service, the PodDisruptionBudget or the NetworkPolicy cannot be what it should be, or is not ours; servers roll out",
    otherRefused,
    tooFew,
    brokenRollout,
  ),
  {
    description: "The servers are ready, but the Service of type LoadBalancer has no address yet",
    when: and(done, noAddress),
    conditions: { Available: created, Progressing: addressless, Degraded: patient, Ready: notReached },
  },
  {
    description: "Ready, with size 0: no servers are wanted",
    when: (s) => done(s) && s.size === 0,
    conditions: { Available: created, Progressing: rolledOut, Degraded: fine, Ready: ready },
  },
  {
    description: "Ready",
    when: done,
    conditions: { Available: created, Progressing: rolledOut, Degraded: fine, Ready: ready },
  },
  ...upAndDown(
    "Changed: the workload's controller has yet to take it up",
    untaken,
    tooFew,
    { Progressing: handedOver, Degraded: fine, Ready: notYetReady },
    notYetThrough,
  ),
  ...upAndDown(
    "A person has paused the rollout: kubectl rollout pause of the Deployment, a partition of the StatefulSet",
    isPaused,
    tooFew,
    { Progressing: paused, Degraded: patient, Ready: notResumed },
    notAllResumed,
  ),
  ...upAndDown(
    "Rolling, and no node has room for a pod",
    unschedulable,
    tooFew,
    { Progressing: unplaced, Degraded: patient, Ready: notPlaced },
    notAllPlaced,
  ),
  ...upAndDown(
    "spec.workload has been changed: the new workload takes over from the one of before",
    replaces,
    tooFew,
    { Progressing: takingOver, Degraded: fine, Ready: notYetReady },
    notYetThrough,
  ),
  ...upAndDown("Rolling", always, tooFew, { Progressing: rolling, Degraded: fine, Ready: notYetReady }, notYetThrough),
];
