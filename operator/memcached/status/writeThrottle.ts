import { isDeepStrictEqual } from "node:util";
import { type MemcachedStatus, statusFields } from "../../../api";
import { findCondition } from "../../runtime";
import type { KeyState } from "../state";

/** Also how long a change may be under way before that is written: one that is done within this time costs one write. */
const progressEveryMs = 1_000;

type State = KeyState["statusWrites"];

/**
 * Throttles status writes: what people and tools act on (a condition that flips, a new reason for Degraded, a new generation) is written at
 * once, mere progress at most once a second. That a change is under way, with nothing wrong, is written when it has been so for
 * a second: most often the end has come by then, and the API server is spared a write. That servers are gone which nobody asked
 * to change is no such change. Gives whether to write `next` now, not at all, or in how many milliseconds to look again.
 */
export function throttle(
  before: MemcachedStatus | undefined,
  next: MemcachedStatus,
  state: State,
  now: number,
): "unchanged" | "now" | number {
  if (isDeepStrictEqual(ownFields(before), ownFields(next))) {
    state.underWaySince = undefined;
    return "unchanged";
  }
  if (!isMaterial(before, next)) return leftMs(state.writtenAt ?? -Infinity, now);
  const mayPass = isUnderWay(next) && !isDegraded(before) && !isLoss(before, next);
  return mayPass ? leftMs((state.underWaySince ??= now), now) : "now";
}

function leftMs(since: number, now: number): "now" | number {
  const ms = since + progressEveryMs - now;
  return ms <= 0 ? "now" : Math.ceil(ms);
}

export function noteWritten(state: State, now: number): void {
  state.underWaySince = undefined;
  state.writtenAt = now;
}

/** Without fields that only another version of the operator knows, which a merge patch leaves as they are. */
const ownFields = (status: MemcachedStatus | undefined): unknown[] => statusFields.map((field) => status?.[field]);

function isMaterial(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  if (before?.observedGeneration !== next.observedGeneration) return true;
  return (next.conditions ?? []).some((condition) => {
    const last = findCondition(before?.conditions, condition.type);
    if (!last) return true;
    // That a new cache has no servers yet is no news: it is written with the next progress, if they are not up by then.
    const isNoNews = condition.type === "Available" && last.status === "Unknown" && condition.status === "False";
    if (isNoNews && !isDegraded(next)) return false;
    return last.status !== condition.status || (condition.type === "Degraded" && last.reason !== condition.reason);
  });
}

function isLoss(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  const isSameSpec = before?.observedGeneration === next.observedGeneration;
  return isSameSpec && is("Available", before) && !is("Available", next);
}

const isDegraded = (status: MemcachedStatus | undefined): boolean => is("Degraded", status);

/** What is waited for, or in the way, is news at once; that it goes on as it should is not. */
function isUnderWay(status: MemcachedStatus): boolean {
  const progressing = findCondition(status.conditions, "Progressing");
  const goesOn = progressing?.status === "True" && ["Reconciling", "RollingOut"].includes(progressing.reason);
  return goesOn && !isDegraded(status) && !is("Ready", status);
}

const is = (type: string, status: MemcachedStatus | undefined): boolean =>
  findCondition(status?.conditions, type)?.status === "True";
