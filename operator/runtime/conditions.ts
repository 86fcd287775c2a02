/** metav1.Condition. */
export interface Condition {
  type: string;
  status: "True" | "False" | "Unknown";
  reason: string;
  message: string;
  observedGeneration?: number;
  lastTransitionTime: string;
}

/** A condition as its owner states it; when it flipped is found out by `setCondition`. */
export type NewCondition = Omit<Condition, "lastTransitionTime">;

/** The API server's limit on a condition's message. */
const maxMessageLength = 32_768;

/**
 * The conditions with `next` among them, as apimachinery's meta.SetStatusCondition: lastTransitionTime moves only when the status flips, other
 * conditions and the order stay. Returns the very same array when nothing changes. Times are whole seconds, as the API server stores them.
 */
export function setCondition<C extends Condition>(
  conditions: readonly C[],
  next: NewCondition,
  now = new Date(),
): readonly (C | Condition)[] {
  const message =
    next.message.length > maxMessageLength ? `${next.message.slice(0, maxMessageLength - 1)}…` : next.message;
  const index = conditions.findIndex((condition) => condition.type === next.type);
  const old = conditions[index];
  if (
    old &&
    old.status === next.status &&
    old.reason === next.reason &&
    old.message === message &&
    old.observedGeneration === next.observedGeneration
  ) {
    return conditions;
  }
  const time = old && old.status === next.status ? old.lastTransitionTime : timestamp(now);
  const current: Condition = { ...next, message, lastTransitionTime: time };
  return old ? conditions.map((condition, i) => (i === index ? current : condition)) : [...conditions, current];
}

/** The condition of that type, as apimachinery's meta.FindStatusCondition. */
export function findCondition<C extends { type: string }>(
  conditions: readonly C[] | undefined,
  type: string,
): C | undefined {
  return conditions?.find((condition) => condition.type === type);
}

/** metav1.Time: RFC 3339 in whole seconds. */
export function timestamp(date: Date): string {
  return `${date.toISOString().slice(0, 19)}Z`;
}

/** metav1.MicroTime: RFC 3339 with six digits, the last three of them zero. */
export function microTimestamp(date: Date): string {
  return date.toISOString().replace("Z", "000Z");
}
