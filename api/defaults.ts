import { type Defaulted, type MemcachedSpec, Spec } from "./fields";
import { firstSize } from "./fields/size";
import { parseQuantity } from "./quantity";

/** A spec with a size and with the API server's defaults: fields that have a default always have a value. */
export type DefaultedSpec = MemcachedSpec & Required<Pick<MemcachedSpec, Defaulted | "size">>;

/** The defaults of the CRD. */
export const defaults = Object.freeze(
  Object.fromEntries(
    Object.entries(Spec.properties).flatMap(([name, schema]) =>
      "default" in schema ? [[name, schema.default as unknown]] : [],
    ),
  ) as Required<Pick<MemcachedSpec, Defaulted>>,
);

/** The value without null and undefined members, at any depth: the API server drops them. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // Called on every reconcile, and most values have none: avoid the copy.
  if (Object.values(value).every((each: unknown) => each !== null && each !== undefined && typeof each !== "object"))
    return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(given.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** The spec with the API server's defaults, and with the size of a new resource if it has none. Null counts as left out. */
export function withDefaults(spec: MemcachedSpec | null | undefined): DefaultedSpec {
  return { size: firstSize, ...defaults, ...(withoutNulls(spec ?? {}) as MemcachedSpec) };
}

/** Memory for items of one server, in MiB (memcached -m). */
export function memoryMiB(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).memory) / 1024 ** 2;
}

/** Largest item, in bytes (memcached -I). */
export function maxItemSizeBytes(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).maxItemSize);
}
