/** Fields where an empty object says something: it selects all there is, and none selects nothing. */
const selectors = ["labelSelector", "namespaceSelector"];

/**
 * The value without undefined, null, empty objects and empty lists, at any depth; undefined when nothing is left.
 * Server-side apply would own an empty field all the same, and so fight whoever fills it.
 */
export function compact<T>(value: T): T {
  return (prune(value) ?? {}) as T;
}

function prune(value: unknown): unknown {
  if (value === null || value === undefined) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(prune).filter((item) => item !== undefined);
    return items.length > 0 ? items : undefined;
  }
  if (typeof value !== "object") return value;
  const entries = Object.entries(value)
    .map(([key, field]) => [key, prune(field) ?? (field && selectors.includes(key) ? {} : undefined)] as const)
    .filter(([, field]) => field !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}
