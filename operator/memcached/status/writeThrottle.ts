import { isDeepStrictEqual } from "node:util";
import { type MemcachedStatus, statusFields } from "../../../api";
import { findCondition } from "../../runtime";
import type { KeyState } from "../state";

/** Also the time after which an ongoing change is written: a change that is complete before costs only one write. */
const progressEveryMs = 1_000;

type State = KeyState["statusWrites"];

/**
 * Throttles status writes. What people and tools act on is written at once: a condition that flips, a new reason of Degraded, a new
 * generation, a loss of servers without a change of the spec. Progress is written at most once a second. An ongoing change without
 * problems is written after a second, because it is often complete by then. Returns whether to write `next` now or not at all, or
 * the milliseconds until the next check.
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

/** Without fields of other versions of the operator, which a merge patch leaves alone. */
const ownFields = (status: MemcachedStatus | undefined): unknown[] => statusFields.map((field) => status?.[field]);

function isMaterial(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  if (before?.observedGeneration !== next.observedGeneration) return true;
  return (next.conditions ?? []).some((condition) => {
    const last = findCondition(before?.conditions, condition.type);
    if (!last) return true;
    // A new cache has no servers at first: that is written with the next progress.
    const isExpected = condition.type === "Available" && last.status === "Unknown" && condition.status === "False";
    if (isExpected && !isDegraded(next)) return false;
    return last.status !== condition.status || (condition.type === "Degraded" && last.reason !== condition.reason);
  });
}

function isLoss(before: MemcachedStatus | undefined, next: MemcachedStatus): boolean {
  const isSameSpec = before?.observedGeneration === next.observedGeneration;
  return isSameSpec && is("Available", before) && !is("Available", next);
}

const isDegraded = (status: MemcachedStatus | undefined): boolean => is("Degraded", status);

/** An ongoing change that neither waits nor has a problem. */
function isUnderWay(status: MemcachedStatus): boolean {
  const progressing = findCondition(status.conditions, "Progressing");
  const proceeds = progressing?.status === "True" && ["Reconciling", "RollingOut"].includes(progressing.reason);
  return proceeds && !isDegraded(status) && !is("Ready", status);
}

const is = (type: string, status: MemcachedStatus | undefined): boolean =>
  findCondition(status?.conditions, type)?.status === "True";
