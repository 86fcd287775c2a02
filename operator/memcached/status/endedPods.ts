import type { KubeObject } from "../../runtime";
import { controllerOf } from "../owner";
import { revisionAnnotation } from "../stores";
import type { ObservedPod, ObservedWorkload, WorkloadKind } from "../types";
import type { Problem, Timed } from "./observedState";
import { latest } from "./pods";

/** A pod that ended where it should run for ever: one that its node evicted, or would not take. */
export interface EndedPod {
  uid: string;
  /** Of the workload that it was made for. */
  revision: string;
  madeAt: number;
  endedAt: number;
  problem: Problem;
}

/** What happened longer ago than this is over. */
const windowMs = 300_000;
const maxKept = 8;

/** The pod, if it is one that ended. */
export function endedPod(pod: ObservedPod): EndedPod | undefined {
  const { phase, reason, message } = pod.status ?? {};
  const { uid = "", creationTimestamp = "" } = pod.metadata;
  if (phase !== "Failed" || !reason) return undefined;
  const problem = { reason, message: `pods end again and again: ${reason}${message ? `: ${message.trim()}` : ""}` };
  return { uid, revision: revisionOf(pod), madeAt: Date.parse(creationTimestamp), endedAt: endOf(pod), problem };
}

/** Remembers a pod that ended: its controller puts another in its place, and a StatefulSet's removes it at once. */
export function rememberEnded(ended: EndedPod[], pod: EndedPod): void {
  if (ended.some(({ uid }) => uid === pod.uid)) return;
  ended.push(pod);
  if (ended.length > maxKept) ended.shift();
}

/**
 * The failure of the pods of the current revision, and for how long it is one if no further pod ends. One that ends is bad luck; that
 * the one in its place ends as well is a failure of the resource. Drops what is over.
 */
export function repeatedEnd(ended: EndedPod[], now: Date, currentRevision: () => string | undefined): Timed {
  const recent = ended.filter(({ endedAt }) => endedAt + windowMs > now.getTime());
  ended.splice(0, ended.length, ...recent);
  if (recent.length === 0) return {};
  const revision = currentRevision();
  const ends = recent.filter((end) => end.revision === revision);
  const first = ends.reduce<EndedPod | undefined>((a, b) => (a && a.endedAt <= b.endedAt ? a : b), undefined);
  const last = first && ends.findLast((end) => end !== first && end.madeAt >= first.endedAt);
  return last ? { problem: last.problem, changesInMs: Math.ceil(first.endedAt + windowMs - now.getTime()) } : {};
}

/** Names the revision that the pods of a workload have now, as `revisionOf` names that of a pod. */
export function currentRevision(
  kind: WorkloadKind,
  workload: ObservedWorkload | undefined,
  replicaSets: KubeObject[],
): string | undefined {
  const uid = workload?.metadata.uid;
  if (uid === undefined) return undefined;
  if (kind === "StatefulSet") return `${uid}/${workload?.status?.updateRevision}`;
  const number = (set: KubeObject) => Number(set.metadata.annotations?.[revisionAnnotation] ?? 0);
  const own = replicaSets.filter((set) => controllerOf(set)?.uid === uid);
  return own.reduce<KubeObject | undefined>((last, set) => (last && number(last) > number(set) ? last : set), undefined)
    ?.metadata.uid;
}

function revisionOf(pod: ObservedPod): string {
  const controller = controllerOf(pod);
  const uid = controller?.uid ?? "";
  return controller?.kind === "StatefulSet" ? `${uid}/${pod.metadata.labels?.["controller-revision-hash"]}` : uid;
}

/** Its conditions turn when it ends; one that its node would not take may have none. */
function endOf({ metadata, status }: ObservedPod): number {
  return latest([metadata.creationTimestamp, ...(status?.conditions ?? []).map((each) => each.lastTransitionTime)]);
}
