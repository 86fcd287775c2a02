import { isDeepStrictEqual } from "node:util";
import type { KubeObject, StoreEvent, Wrote } from "../types";

/** The fields that a write of our own moves, besides metadata. */
const moved: Record<Wrote, string[]> = { status: ["status"], object: ["spec", "data", "stringData", "rules"] };

/**
 * Whether the answer to a write of our own also brings news: something someone else changed between the state we knew and our
 * write. The watch will not tell us, since the store is already ahead of it.
 */
export function changedByOthers({ old, object, own }: StoreEvent): boolean {
  return old !== undefined && own !== undefined && !isDeepStrictEqual(unmoved(old, own), unmoved(object, own));
}

/** All of an object but what our write itself moves. */
function unmoved({ metadata, ...fields }: KubeObject, own: Wrote): object {
  const { deletionTimestamp, generation, labels, annotations, ownerReferences, finalizers } = metadata;
  const others = Object.entries(fields).filter(([field]) => !moved[own].includes(field));
  const ofStatus = own === "status" && { generation, labels, annotations, ownerReferences, finalizers };
  return { ...Object.fromEntries(others), metadata: { deletionTimestamp, ...ofStatus } };
}
