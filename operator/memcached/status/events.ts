import type { Condition, MemcachedStatus } from "../../../api";

/**
 * The condition to report to people when a status is written: Degraded has become true, or is true for another reason. A pull
 * that fails is one reason under two names, between which the kubelet alternates.
 */
export function newTrouble(before: MemcachedStatus | undefined, next: MemcachedStatus): Condition | undefined {
  const last = degradedOf(before);
  const current = degradedOf(next);
  if (current?.status !== "True") return undefined;
  return last?.status === "True" && plain(last.reason) === plain(current.reason) ? undefined : current;
}

function degradedOf(status: MemcachedStatus | undefined): Condition | undefined {
  return status?.conditions?.find(({ type }) => type === "Degraded");
}

const plain = (reason: string): string => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);
