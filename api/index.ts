export * from "./defaults";
export { defaultMemcachedImage, type MemcachedSpec } from "./fields";
export type { Memcached, MemcachedMetadata } from "./memcached";
export * from "./names";
export { parseQuantity } from "./quantity";
export type { Condition, MemcachedStatus } from "./status";
