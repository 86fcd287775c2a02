/** Fields in which an empty object selects everything, and a missing one nothing. */
const selectors = ["labelSelector", "namespaceSelector", "podSelector"];

/**
 * The value without undefined, null, empty objects and empty lists, at any depth. Server-side apply would own an empty field, and
 * conflict with anyone who fills it.
 */
export function compact<T>(value: T): T {
  return (prune(value) ?? {}) as T;
}

/** Called for every body, so it avoids temporary lists. */
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
