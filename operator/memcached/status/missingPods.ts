import type { Client } from "../../runtime";
import { lastNote } from "../lastNote";
import type { KeyState } from "../state";
import type { ChildResult } from "../sync/childReconciler";
import type { ObservedWorkload } from "../types";

/** Missing pods usually appear within this time. */
const graceMs = 1_000;
/** How often to look for new Events. */
const retryMs = 5_000;

/**
 * Why a StatefulSet has too few pods. Its controller reports this only in Events, unlike that of a Deployment. They are read only
 * while pods are missing.
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
