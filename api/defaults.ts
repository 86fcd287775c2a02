import { type MemcachedSpec, Spec } from "./fields";
import { parseQuantity } from "./quantity";

type Defaulted =
  "size" | "imagePullPolicy" | "port" | "memory" | "connections" | "threads" | "maxItemSize" | "verbosity";

/** A spec as the API server stores it: fields with a default always have a value. */
export type DefaultedSpec = MemcachedSpec & Required<Pick<MemcachedSpec, Defaulted>>;

/** The value of every field that has a default, as the CRD gives them. */
export const defaults: Readonly<Required<Pick<MemcachedSpec, Defaulted>>> = Object.freeze(
  Object.fromEntries(
    Object.entries(Spec.properties).flatMap(([name, schema]) =>
      "default" in schema ? [[name, schema.default as unknown]] : [],
    ),
  ) as Required<Pick<MemcachedSpec, Defaulted>>,
);

/** The spec with the defaults filled in, as the API server does it (null counts as left out). */
export function withDefaults(spec: MemcachedSpec | null | undefined): DefaultedSpec {
  const given = Object.entries(spec ?? {}).filter(([, value]) => value !== undefined && value !== null);
  return { ...defaults, ...Object.fromEntries(given) };
}

/** Item memory of one server in MiB, for memcached's -m. */
export function memoryMiB(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).memory) / 1024 ** 2;
}

/** Largest item in bytes, for memcached's -I. */
export function maxItemSizeBytes(spec: MemcachedSpec): number {
  return parseQuantity(withDefaults(spec).maxItemSize);
}
