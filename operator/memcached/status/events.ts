import type { Condition, Memcached, MemcachedStatus } from "../../../api";
import { type EventRecorder, TokenBucket, findCondition } from "../../runtime";
import type { KeyState } from "../state";
import { memcachedType } from "../types";

/** Tells people of a Memcached what was done to its children, in the past tense. */
export type RecordEvent = (reason: string, note: string) => void;

const all = { burst: 20, everyMs: 1_000 };
const each = { burst: 15, everyMs: 600_000 };

/**
 * Events about a Memcached, for those who look at it. Each costs the API server a write, so that there are few Normal ones when a
 * thousand resources are made at once. And few for one resource, that Warnings are never held back for them.
 */
export class MemcachedEvents {
  private readonly budget: TokenBucket;

  constructor(
    private readonly recorder: EventRecorder,
    private readonly clock: () => number,
  ) {
    this.budget = new TokenBucket(all.burst, all.everyMs, clock);
  }

  normal(memcached: Memcached, state: KeyState): RecordEvent {
    return (reason, note) => {
      if (this.budget.left() < 1) return;
      const own = (state.eventBudget ??= new TokenBucket(each.burst, each.everyMs, this.clock));
      if (own.left() < 1) return;
      own.take();
      this.budget.take();
      this.recorder.event(regarding(memcached), "Normal", reason, "Reconcile", note);
    };
  }

  /** Reports what a status just written has to warn of. */
  warning(memcached: Memcached, before: MemcachedStatus | undefined, next: MemcachedStatus): void {
    const condition = newWarning(before, next);
    if (condition)
      this.recorder.event(regarding(memcached), "Warning", condition.reason, "Reconcile", condition.message);
  }
}

/** A Memcached as events name it: what is stored has no kind where it came in a list. */
function regarding({ metadata }: Memcached): Parameters<EventRecorder["event"]>[0] {
  const { group, version, kind } = memcachedType;
  return { apiVersion: `${group}/${version}`, kind, metadata };
}

/**
 * The condition to report to people when a status is written: Degraded has become true, or is true for another reason; or no
 * node has room for a pod, which an autoscaler may mend, or a person has paused the rollout: nobody else who waits for the cache
 * would hear of it. A pull that fails is one reason under two names, between which the kubelet alternates.
 */
export function newWarning(before: MemcachedStatus | undefined, next: MemcachedStatus): Condition | undefined {
  return newly(before, next, "Degraded", isDegraded) ?? newly(before, next, "Progressing", isWaiting);
}

type Is = (condition: Condition) => boolean;

const isDegraded: Is = ({ status }) => status === "True";
const isWaiting: Is = ({ reason }) => ["Unschedulable", "RolloutPaused"].includes(reason);

/** The condition of that type, if it is such a one and was none before, or for another reason. */
function newly(
  before: MemcachedStatus | undefined,
  next: MemcachedStatus,
  type: string,
  is: Is,
): Condition | undefined {
  const last = findCondition(before?.conditions, type);
  const current = findCondition(next.conditions, type);
  if (!current || !is(current)) return undefined;
  return last && is(last) && plain(last.reason) === plain(current.reason) ? undefined : current;
}

const plain = (reason: string): string => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);
