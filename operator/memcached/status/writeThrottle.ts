import { isDeepStrictEqual } from "node:util";
import type { Condition, MemcachedStatus } from "../../../api";

/** Also how long a change may be under way before that is written: one that is done within this time costs one write. */
const progressEveryMs = 1_000;

/** What to do with a status just computed: nothing, write it now, or come back in so many milliseconds. */
export type Pace = "unchanged" | "now" | number;

/**
 * Paces status writes: what people and tools act on (a condition that flips, a new reason for Degraded, a new generation) is written at
 * once, mere progress at most once a second. That a change is under way, with nothing wrong, is written when it has been so for
 * a second: most often the end has come by then, and the API server is spared a write. That servers are gone which nobody asked
 * to change is no such change.
 */
export class WriteThrottle {
  private readonly underWaySince = new Map<string, number>();
  private readonly writtenAt = new Map<string, number>();

  /** `clock` gives milliseconds that only go forward. */
  constructor(private readonly clock: () => number = () => performance.now()) {}

  pace(uid: string, before: MemcachedStatus | undefined, next: MemcachedStatus): Pace {
    if (isDeepStrictEqual(ours(before), ours(next))) {
      this.underWaySince.delete(uid);
      return "unchanged";
    }
    if (isMaterial(before, next)) {
      const mayPass = isUnderWay(next) && !isBroken(before) && !isLoss(before, next);
      return mayPass ? this.paceUnderWay(uid) : "now";
    }
    const sinceMs = this.clock() - (this.writtenAt.get(uid) ?? -Infinity);
    return sinceMs >= progressEveryMs ? "now" : Math.ceil(progressEveryMs - sinceMs);
  }

  private paceUnderWay(uid: string): Pace {
    const now = this.clock();
    const since = this.underWaySince.get(uid) ?? now;
    this.underWaySince.set(uid, since);
    const leftMs = since + progressEveryMs - now;
    return leftMs <= 0 ? "now" : Math.ceil(leftMs);
  }

  written(uid: string): void {
    this.underWaySince.delete(uid);
    this.writtenAt.set(uid, this.clock());
  }

  forget(uid: string): void {
    this.underWaySince.delete(uid);
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

function isLoss(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  const was = conditionOf(before, "Available")?.status === "True";
  const sameSpec = before?.observedGeneration === next.observedGeneration;
  return was && sameSpec && conditionOf(next, "Available")?.status !== "True";
}

function isBroken(status: MemcachedStatus | undefined): boolean {
  return conditionOf(status, "Degraded")?.status === "True";
}

/** What is waited for, or in the way, is news at once; that it goes on as it should is not. */
function isUnderWay(status: MemcachedStatus): boolean {
  const progressing = conditionOf(status, "Progressing");
  return (
    !isBroken(status) &&
    progressing?.status === "True" &&
    ["Reconciling", "RollingOut"].includes(progressing.reason) &&
    conditionOf(status, "Ready")?.status !== "True"
  );
}

function conditionOf(status: MemcachedStatus | undefined, condition: string): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === condition);
}
