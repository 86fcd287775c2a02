import type { KubeObject } from "../../runtime";
import { revisionAnnotation } from "../stores";
import { controllerOf } from "../owner";
import type { ObservedPod, ObservedWorkload, WorkloadKind } from "../types";
import type { Problem } from "./observedState";

/** A pod that ended, and the revision of the workload it was of. */
interface End {
  uid: string;
  revision: string;
  madeAt: number;
  endedAt: number;
  why: Problem;
}

/** What happened longer ago than this is over. */
const windowMs = 300_000;
const maxKept = 8;
/** Labels can name Memcacheds that there are not, and that no pass forgets. */
const maxSlots = 4096;

/**
 * Remembers the pods that ended where they should run for ever: those that their node evicted, or would not take. Their controllers put
 * others in their place, and a StatefulSet's removes them at once. One is bad luck; that the one in its place ends as well is a
 * failure of the resource.
 */
export class EndedPods {
  private readonly ends = new Map<string, End[]>();

  constructor(private readonly now: () => Date) {}

  saw(slot: string, pod: ObservedPod): void {
    const { phase, reason, message } = pod.status ?? {};
    const { uid = "", creationTimestamp = "" } = pod.metadata;
    if (phase !== "Failed" || !reason) return;
    const known = this.ends.get(slot) ?? [];
    if (known.some((end) => end.uid === uid)) return;
    const oldest = this.ends.size < maxSlots ? undefined : this.ends.keys().next().value;
    if (oldest !== undefined) this.ends.delete(oldest);
    const madeAt = Date.parse(creationTimestamp);
    const why = { reason, message: `pods end again and again: ${reason}${message ? `: ${message.trim()}` : ""}` };
    this.ends.set(
      slot,
      [...known, { uid, revision: revisionOf(pod), madeAt, endedAt: endOf(pod), why }].slice(-maxKept),
    );
  }

  /** The failure of the pods of a revision, and for how long it holds if no further pod ends. */
  of(slot: string, current: () => string | undefined): { why: Problem; forMs: number } | undefined {
    const now = this.now().getTime();
    const recent = (this.ends.get(slot) ?? []).filter(({ endedAt }) => endedAt + windowMs > now);
    if (recent.length === 0) {
      this.ends.delete(slot);
      return undefined;
    }
    this.ends.set(slot, recent);
    const revision = current();
    const ends = recent.filter((end) => end.revision === revision);
    const first = ends.reduce<End | undefined>((a, b) => (a && a.endedAt <= b.endedAt ? a : b), undefined);
    const last = first && ends.findLast((end) => end !== first && end.madeAt >= first.endedAt);
    return last && { why: last.why, forMs: Math.ceil(first.endedAt + windowMs - now) };
  }

  forget(slot: string): void {
    this.ends.delete(slot);
  }
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
  const times = (status?.conditions ?? []).map(({ lastTransitionTime }) => lastTransitionTime);
  return [metadata.creationTimestamp, ...times]
    .map((time) => (time === undefined ? 0 : Date.parse(time)))
    .reduce((a, b) => Math.max(a, b), 0);
}
