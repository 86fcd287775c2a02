import type { Client, KubeObject } from "../../runtime";
import { ApiError, eventType } from "../../runtime";
import type { ObservedWorkload } from "../types";
import type { ChildResult } from "../sync/childReconciler";

interface Event extends KubeObject {
  note?: string;
  deprecatedLastTimestamp?: string;
  series?: { lastObservedTime?: string };
}

/** A shortfall younger than this is one that ends by itself. */
const graceMs = 1_000;
/** Until the controller has said something, and for news of what it says. */
const retryMs = 5_000;

/**
 * Why a StatefulSet has fewer pods than it should. Unlike a Deployment's controller its own does not say so in the status, only in
 * Events; they are looked at only while pods are missing.
 */
export class MissingPods {
  private readonly short = new Map<string, number>();

  constructor(
    private readonly client: Pick<Client, "list">,
    private readonly clock: () => number,
  ) {}

  async of(slot: string, live: ObservedWorkload | undefined, signal: AbortSignal): Promise<ChildResult> {
    if (!live || !isShort(live)) {
      this.short.delete(slot);
      return {};
    }
    const since = this.short.get(slot) ?? this.clock();
    this.short.set(slot, since);
    const leftMs = since + graceMs - this.clock();
    if (leftMs > 0) return { retryAfterMs: Math.ceil(leftMs) };
    const note = await this.lastWords(live, signal);
    return { retryAfterMs: retryMs, ...(note && { problem: { reason: "ReplicaFailure", message: note } }) };
  }

  forget(slot: string): void {
    this.short.delete(slot);
  }

  private async lastWords({ metadata }: ObservedWorkload, signal: AbortSignal): Promise<string | undefined> {
    const fieldSelector = `regarding.uid=${metadata.uid},reason=FailedCreate`;
    try {
      const { items } = await this.client.list<Event>(eventType, {
        namespace: metadata.namespace,
        fieldSelector,
        signal,
      });
      return items.reduce<Event | undefined>(
        (last, event) => (last && timeOf(last) > timeOf(event) ? last : event),
        undefined,
      )?.note;
    } catch (error) {
      // Without the right to read events the rollout goes on as before, only without its reasons.
      if (error instanceof ApiError) return undefined;
      throw error;
    }
  }
}

function isShort({ metadata, spec, status }: ObservedWorkload): boolean {
  const current = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return current && (status?.replicas ?? 0) < (spec?.replicas ?? 1);
}

const timeOf = ({ metadata, series, deprecatedLastTimestamp }: Event): string =>
  series?.lastObservedTime ?? deprecatedLastTimestamp ?? metadata.creationTimestamp ?? "";
