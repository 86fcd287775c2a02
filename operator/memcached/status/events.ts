import type { Condition, MemcachedStatus } from "../../../api";
import { findCondition } from "../../runtime";

/**
 * The condition to report to people when a status is written: Degraded has become true, or is true for another reason; or no
 * node has room for a pod, which an autoscaler may mend, or a person has paused the rollout: nobody else who waits for the cache
 * would hear of it. A pull that fails is one reason under two names, between which the kubelet alternates.
 */
export function newWarning(before: MemcachedStatus | undefined, next: MemcachedStatus): Condition | undefined {
  return newly(before, next, "Degraded", degraded) ?? newly(before, next, "Progressing", held);
}

type Which = (condition: Condition) => boolean;

const degraded: Which = ({ status }) => status === "True";
const held: Which = ({ reason }) => ["Unschedulable", "RolloutPaused"].includes(reason);

/** The condition of that type, if it is such a one and was none before, or for another reason. */
function newly(
  before: MemcachedStatus | undefined,
  next: MemcachedStatus,
  type: string,
  which: Which,
): Condition | undefined {
  const last = findCondition(before?.conditions, type);
  const current = findCondition(next.conditions, type);
  if (!current || !which(current)) return undefined;
  return last && which(last) && plain(last.reason) === plain(current.reason) ? undefined : current;
}

const plain = (reason: string): string => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);
