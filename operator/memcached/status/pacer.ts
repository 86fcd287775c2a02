import { isDeepStrictEqual } from "node:util";
import type { MemcachedStatus } from "../../../api";

const progressEveryMs = 1_000;

/** What to do with a status just computed: nothing, write it now, or come back in so many milliseconds. */
export type Pace = "unchanged" | "now" | number;

/**
 * Paces status writes: what people and tools act on (a condition that flips, a new reason for Degraded, a new generation) is written at
 * once, mere progress at most once a second.
 */
export class Pacer {
  private readonly writtenAt = new Map<string, number>();

  /** `clock` gives milliseconds that only go forward. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  pace(uid: string, before: MemcachedStatus | undefined, next: MemcachedStatus): Pace {
    if (isDeepStrictEqual(ours(before), ours(next))) return "unchanged";
    if (isMaterial(before, next)) return "now";
    const sinceMs = this.clock() - (this.writtenAt.get(uid) ?? -Infinity);
    return sinceMs >= progressEveryMs ? "now" : Math.ceil(progressEveryMs - sinceMs);
  }

  written(uid: string): void {
    this.writtenAt.set(uid, this.clock());
  }

  forget(uid: string): void {
    this.writtenAt.delete(uid);
  }
}

/** Without fields that only another version of the operator knows, which a merge patch leaves as they are. */
function ours(status: MemcachedStatus | undefined): Partial<MemcachedStatus> {
  const { observedGeneration, conditions, nodes, servers, replicas, readyReplicas, selector } = status ?? {};
  return { observedGeneration, conditions, nodes, servers, replicas, readyReplicas, selector };
}

function isMaterial(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  if (before?.observedGeneration !== next.observedGeneration) return true;
  return (next.conditions ?? []).some((condition) => {
    const last = before?.conditions?.find(({ type }) => type === condition.type);
    if (!last) return true;
    // That a new cache has no servers yet is no news: it is written with the next progress, if they are not up by then.
    if (condition.type === "Available" && last.status === "Unknown" && condition.status === "False" && !isBroken(next))
      return false;
    return last.status !== condition.status || (condition.type === "Degraded" && last.reason !== condition.reason);
  });
}

function isBroken(status: MemcachedStatus): boolean {
  return status.conditions?.some(({ type, status }) => type === "Degraded" && status === "True") ?? false;
}
