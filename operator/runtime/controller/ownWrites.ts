import { isDeepStrictEqual } from "node:util";
import type { KubeObject, StoreEvent } from "../types";

/**
 * Whether the answer to a write of our own also brings news: something someone else changed between the state we knew and our
 * write. The watch will not tell us, since the store is already ahead of it.
 */
export function changedByOthers({ old, object, own }: StoreEvent): boolean {
  if (!old || !own) return false;
  return own === "status"
    ? differs(old, object, ["status"])
    : differs(old, object, ["spec", "data", "stringData", "rules"]);
}

/** Compares everything but the parts that our write itself moves. */
function differs(old: KubeObject, current: KubeObject, ignored: string[]): boolean {
  const own = ignored.includes("status");
  const fields = new Set([...Object.keys(old), ...Object.keys(current)]);
  for (const field of fields) {
    if (ignored.includes(field) || field === "metadata") continue;
    if (!isDeepStrictEqual(field in old ? get(old, field) : undefined, get(current, field))) return true;
  }
  const before = old.metadata;
  const after = current.metadata;
  if (before.deletionTimestamp !== after.deletionTimestamp) return true;
  if (!own) return false;
  return (
    before.generation !== after.generation ||
    !isDeepStrictEqual(before.labels, after.labels) ||
    !isDeepStrictEqual(before.annotations, after.annotations) ||
    !isDeepStrictEqual(before.ownerReferences, after.ownerReferences) ||
    !isDeepStrictEqual(before.finalizers, after.finalizers)
  );
}

const get = (object: KubeObject, field: string) => (object as unknown as Record<string, unknown>)[field];
