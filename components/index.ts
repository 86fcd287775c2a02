export { Memcached } from "./memcached";
export type { MemcachedArgs } from "./memcachedArgs";
export * from "./generated/memcachedArgs";
export { MemcachedOperator } from "./memcachedOperator";
export type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";
export type { MetricsArgs, ProxyArgs } from "./manifests";
export { OperatorImage } from "./operatorImage";
export type { LoadIntoArgs, OperatorImageArgs } from "./operatorImageArgs";
