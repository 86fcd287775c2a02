import type { KubeObject } from "../../runtime";
import { controllerOf } from "../owner";
import { revisionAnnotation } from "../stores";
import type { ObservedPod, ObservedWorkload, WorkloadKind } from "../types";
import type { Problem, Timed } from "./observedState";
import { latest } from "./pods";

/** A pod that failed: its node evicted or rejected it. */
export interface EndedPod {
  uid: string;
  /** The revision of its workload. */
  revision: string;
  madeAt: number;
  endedAt: number;
  problem: Problem;
}

/** Older failures are forgotten. */
const windowMs = 300_000;
const maxKept = 8;

/** The failed pod; undefined for all others. */
function endedPod(pod: ObservedPod): EndedPod | undefined {
  const { phase, reason, message } = pod.status ?? {};
  const { uid = "", creationTimestamp = "" } = pod.metadata;
  if (phase !== "Failed" || !reason) return undefined;
  const problem = { reason, message: `pods fail repeatedly: ${reason}${message ? `: ${message.trim()}` : ""}` };
  return { uid, revision: revisionOf(pod), madeAt: Date.parse(creationTimestamp), endedAt: endOf(pod), problem };
}

/** Remembers the pod if it has failed, because its controller replaces it, and that of a StatefulSet deletes it at once. */
export function rememberEnded(ended: EndedPod[] | undefined, pod: ObservedPod): void {
  const failed = endedPod(pod);
  if (!ended || !failed || ended.some(({ uid }) => uid === failed.uid)) return;
  ended.push(failed);
  if (ended.length > maxKept) ended.shift();
}

/**
 * The problem that pods of the current revision fail repeatedly, and for how long that lasts without further failures. One failed
 * pod can be an accident; if its replacement fails as well, the resource has a problem. Forgets old failures.
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

/** The current revision of a workload, in the form of `revisionOf`. */
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

/** The conditions change when the pod fails. A pod that its node rejected may have none. */
function endOf({ metadata, status }: ObservedPod): number {
  return latest([metadata.creationTimestamp, ...(status?.conditions ?? []).map((each) => each.lastTransitionTime)]);
}
