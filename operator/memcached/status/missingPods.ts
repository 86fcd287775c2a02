import type { Client } from "../../runtime";
import { lastNote } from "../lastNote";
import type { KeyState } from "../state";
import type { ChildResult } from "../sync/childReconciler";
import type { ObservedWorkload } from "../types";

/** Pods that have been missing for less than this come by themselves. */
const graceMs = 1_000;
/** Until the controller has said something, and for what it says next. */
const retryMs = 5_000;

/**
 * Why a StatefulSet has fewer pods than it should. Unlike a Deployment's controller its own does not say so in the status, only in
 * Events; they are looked at only while pods are missing.
 */
export async function missingPods(
  workload: ObservedWorkload | undefined,
  state: Pick<KeyState, "podsMissingSince">,
  client: Pick<Client, "list">,
  now: number,
  signal: AbortSignal,
): Promise<ChildResult> {
  if (!workload || !lacksPods(workload)) {
    state.podsMissingSince = undefined;
    return {};
  }
  const leftMs = (state.podsMissingSince ??= now) + graceMs - now;
  if (leftMs > 0) return { retryAfterMs: Math.ceil(leftMs) };
  const message = await lastNote(workload.metadata, "FailedCreate", client, signal);
  return { retryAfterMs: retryMs, ...(message && { problem: { reason: "ReplicaFailure", message } }) };
}

function lacksPods({ metadata, spec, status }: ObservedWorkload): boolean {
  const isCurrent = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isCurrent && (status?.replicas ?? 0) < (spec?.replicas ?? 1);
}
