import { type KubeObject, findCondition, timestamp } from "../../runtime";
import { controllerOf } from "../owner";
import type { ContainerStatus, ObservedPod, TerminatedState } from "../types";
import type { Problem, Timed } from "./observedState";

/** The pods of workloads that are neither finished nor terminating, sorted by name. */
export function podsOf(...below: Parameters<typeof podsBelow>): ObservedPod[] {
  return podsBelow(...below)
    .filter((pod) => !pod.metadata.deletionTimestamp && !isFinished(pod))
    .sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
}

/** All pods of workloads: those whose controllers, by UID, lead to one. */
export function podsBelow(
  workloadUids: (string | undefined)[],
  pods: ObservedPod[],
  replicaSets: KubeObject[],
): ObservedPod[] {
  const workloads = new Set(workloadUids.filter((uid) => uid !== undefined));
  if (workloads.size === 0) return [];
  const parents = new Set(workloads);
  for (const replicaSet of replicaSets)
    if (replicaSet.metadata.uid && workloads.has(controllerOf(replicaSet)?.uid ?? ""))
      parents.add(replicaSet.metadata.uid);
  return pods.filter((pod) => parents.has(controllerOf(pod)?.uid ?? ""));
}

export const isFinished = ({ status }: ObservedPod): boolean => ["Succeeded", "Failed"].includes(status?.phase ?? "");

/** The first problem among the pods, with the pod's name. */
function firstProblem(pods: ObservedPod[], problemOf: (pod: ObservedPod) => Problem | undefined): Problem | undefined {
  for (const pod of pods) {
    const problem = problemOf(pod);
    if (problem) return { reason: problem.reason, message: `pod ${pod.metadata.name}${problem.message}` };
  }
  return undefined;
}

/** The first failure among the pods that lasts until something changes. A container that is being created has none. */
export function podFailure(pods: ObservedPod[]): Problem | undefined {
  return firstProblem(pods, ({ status }) => {
    for (const container of [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])]) {
      const failure = containerFailure(container);
      if (failure) return { ...failure, message: `, container ${container.name}: ${failure.message}` };
    }
    return undefined;
  });
}

/** The scheduler's message for the first pod without a node. A new node may still help. */
export function unschedulable(pods: ObservedPod[]): Problem | undefined {
  return firstProblem(pods, ({ status }) => {
    const scheduled = findCondition(status?.conditions, "PodScheduled");
    if (scheduled?.status !== "False" || scheduled.reason !== "Unschedulable") return undefined;
    return { reason: "Unschedulable", message: `: ${scheduled.message ?? "no node fits"}` };
  });
}

/** The kubelet's message for the first pod that is not ready. */
export function unready(pods: ObservedPod[]): Problem | undefined {
  return firstProblem(pods, ({ status }) => {
    const ready = findCondition(status?.conditions, "Ready");
    if (ready?.status === "True") return undefined;
    return { reason: ready?.reason || "NotReady", message: `: ${ready?.message || "it is not ready"}` };
  });
}

/** The latest of some times, in milliseconds; 0 if there is none. */
export function latest(times: (string | undefined)[]): number {
  return Math.max(0, ...times.map((time) => (time === undefined ? 0 : Date.parse(time))));
}

/** How many of a server's last log lines a message has. */
const lastLines = 3;

/** Explanations of memcached's errors that do not say what to change in a Memcached. */
const meanings: [words: RegExp, meaning: string][] = [
  [
    /failed to set rlimit for open files/,
    "The node allows its containers fewer open files than spec.connections: raise the limit of its container runtime (LimitNOFILE) or lower spec.connections",
  ],
  [
    /Should be 'user:password'/,
    "The key users of the Secret in spec.auth must have lines of the form user:password, without empty lines: correct the Secret",
  ],
  [
    /Error loading the (certificate chain|key)/,
    "The Secret in spec.tls must have a certificate (tls.crt) and its private key (tls.key), in PEM format: correct the Secret",
  ],
  [
    /exec: "sh":/,
    "The image has no shell, which is needed to detect changed Secrets: set spec.reload.image to an image with a shell",
  ],
];

function withMeaning(words: string): string {
  const meaning = meanings.find(([regexp]) => regexp.test(words))?.[1];
  return meaning ? `${words} ${meaning}` : words;
}

/** Reasons of a waiting container that is being started. */
export const startingReasons = ["ContainerCreating", "PodInitializing"];

function containerFailure(container: ContainerStatus): Problem | undefined {
  const waiting = container.state?.waiting;
  if (isCrashLooping(container)) return { reason: "CrashLoopBackOff", message: crash(container) };
  if (!waiting?.reason || startingReasons.includes(waiting.reason)) return undefined;
  return {
    reason: waiting.reason,
    message: waiting.message ? `${waiting.reason}: ${withMeaning(waiting.message)}` : waiting.reason,
  };
}

/** Between two crashes the container runs or is terminated for a moment, but it is in the loop until it is ready. */
function isCrashLooping({ ready, restartCount, state, lastState }: ContainerStatus): boolean {
  if (state?.waiting) return state.waiting.reason === "CrashLoopBackOff";
  return !ready && restartCount >= 2 && (state?.terminated ?? lastState?.terminated) !== undefined;
}

/** Without the kubelet's "back-off 40s restarting", which changes with each crash. */
function crash({ state, lastState }: ContainerStatus): string {
  const end = state?.terminated ?? lastState?.terminated;
  return end ? `it keeps exiting, last with ${ending(end)}` : "it keeps exiting";
}

function ending({ exitCode, reason, message }: TerminatedState): string {
  const named = reason && reason !== "Error" ? `${reason}, exit code ${exitCode}` : `exit code ${exitCode}`;
  const words = message
    ?.trim()
    .split(/\s*\n\s*/)
    .slice(-lastLines)
    .join("; ");
  return [named, words && withMeaning(words)].filter(Boolean).join(": ");
}

/** How long a pod may take to disappear after its grace period. */
const slackMs = 15_000;

/** Finds a terminating pod that should be gone. A StatefulSet does not replace it before. */
export function terminating(pods: ObservedPod[], now: Date): Timed {
  const sorted = pods
    .filter((pod) => isUnconfirmed(pod) || finalizersOf(pod).length > 0)
    .map((pod) => ({ pod, leftMs: Date.parse(pod.metadata.deletionTimestamp ?? "") + slackMs - now.getTime() }))
    .sort((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1));
  const late = sorted.find(({ leftMs }) => leftMs <= 0)?.pod;
  const left = sorted.map(({ leftMs }) => leftMs).filter((ms) => ms > 0);
  return {
    ...(late && { problem: { reason: "PodTerminating", message: terminatingMessage(late) } }),
    ...(left.length > 0 && { changesInMs: Math.min(...left) }),
  };
}

const finalizersOf = ({ metadata }: ObservedPod): string[] => metadata.finalizers ?? [];

/** When the kubelet has stopped a pod, it sets the grace period to 0. A pod without a node or grace period is gone at once. */
const isUnconfirmed = ({ metadata, spec }: ObservedPod): boolean =>
  (metadata.deletionGracePeriodSeconds ?? 0) > 0 && spec?.nodeName !== undefined;

/** deletionTimestamp is the end of the grace period. */
function terminatingMessage(pod: ObservedPod): string {
  const { metadata, spec, status } = pod;
  const { name, namespace, deletionTimestamp = "", deletionGracePeriodSeconds: grace = 0 } = metadata;
  const finalizers = finalizersOf(pod);
  const since = timestamp(new Date(Date.parse(deletionTimestamp) - grace * 1_000));
  const why: string[] = [];
  if (isUnconfirmed(pod))
    why.push(
      `its node ${spec?.nodeName} ${isLost(status) ? "is not ready and " : ""}has not confirmed that it stopped; if the node is permanently gone, run: kubectl delete pod ${name} -n ${namespace} --force`,
    );
  if (finalizers.length > 0)
    why.push(`its finalizers ${finalizers.join(", ")} block the deletion, and their owner must remove them`);
  return `pod ${name} has been terminating since ${since}: ${why.join("; ")}`;
}

/** If a node is lost, the node controller sets its pods to unready, and their containers stay ready. */
function isLost(status: ObservedPod["status"]): boolean {
  const of = (type: string) => findCondition(status?.conditions, type)?.status;
  return status?.reason === "NodeLost" || (of("Ready") === "False" && of("ContainersReady") === "True");
}
