/** Fields where an empty object says something: it selects all there is, and none selects nothing. */
const selectors = ["labelSelector", "namespaceSelector", "podSelector"];

/**
 * The value without undefined, null, empty objects and empty lists, at any depth; undefined when nothing is left.
 * Server-side apply would own an empty field all the same, and so fight whoever fills it.
 */
export function compact<T>(value: T): T {
  return (prune(value) ?? {}) as T;
}

/** Runs over every body that is made: without a list in between. */
function prune(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items: unknown[] = [];
    for (const item of value) {
      const kept = prune(item);
      if (kept !== undefined) items.push(kept);
    }
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== "object") return value;
  let object: Record<string, unknown> | undefined;
  for (const [key, field] of Object.entries(value)) {
    const kept = prune(field) ?? (field && selectors.includes(key) ? {} : undefined);
    if (kept !== undefined) (object ??= {})[key] = kept;
  }
  return object;
}
