import { type Defaulted, type MemcachedSpec, Spec } from "./fields";
import { firstSize } from "./fields/size";
import { parseQuantity } from "./quantity";

/** A spec as the API server stores it, and with a size: fields with a default always have a value. */
export type DefaultedSpec = MemcachedSpec & Required<Pick<MemcachedSpec, Defaulted | "size">>;

/** The value of every field that has a default, as the CRD gives them. */
export const defaults = Object.freeze(
  Object.fromEntries(
    Object.entries(Spec.properties).flatMap(([name, schema]) =>
      "default" in schema ? [[name, schema.default as unknown]] : [],
    ),
  ) as Required<Pick<MemcachedSpec, Defaulted>>,
);

/** The value without the members that are null or undefined, at any depth: the API server drops them. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  // Most have none, and are looked at on every pass: no copy.
  if (Object.values(value).every((each: unknown) => each !== null && each !== undefined && typeof each !== "object"))
    return value;
  const given = Object.entries(value).filter(([, inner]) => inner !== undefined && inner !== null);
  return Object.fromEntries(given.map(([name, inner]) => [name, withoutNulls(inner)]));
}

/** The spec with the defaults filled in, as the API server does it, and the size of a new resource: null counts as left out. */
export function withDefaults(spec: MemcachedSpec | null | undefined): DefaultedSpec {
  return { size: firstSize, ...defaults, ...(withoutNulls(spec ?? {}) as MemcachedSpec) };
}

/** Item memory of one server in MiB, for memcached's -m. */
export function memoryMiB(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).memory) / 1024 ** 2;
}

/** Largest item in bytes, for memcached's -I. */
export function maxItemSizeBytes(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).maxItemSize);
}
