import { type DefaultedSpec, memoryMiB } from "../../api";

/** Requests and limits of a container, as quantities. */
export interface Resources {
  requests?: Record<string, string | number>;
  limits?: Record<string, string | number>;
}

/**
 * What memcached needs beside its items (`-m` counts items only): the process and its threads, the hash table, which grows
 * with the number of items and stands twice while it grows, and the buffers of a connection. Whole MiB, rounded up.
 */
export function overheadMiB(spec: DefaultedSpec): number {
  const process = 16;
  const threads = 2 * spec.threads;
  const hashTable = memoryMiB(spec) / 5;
  const connections = (spec.connections * 20) / 1024;
  return Math.ceil(process + threads + hashTable + connections);
}

/**
 * The user's `resources` as they are, else derived from `memory`: a full cache with every connection in use stays below
 * the limit. The request equals the limit, for a cache fills up, and a node must not be promised that memory twice. No CPU
 * limit: throttling a cache slows all of its clients.
 */
export function resources(spec: DefaultedSpec): Resources {
  const given = spec.resources;
  if (Object.keys({ ...given?.requests, ...given?.limits }).length > 0) return given as Resources;
  const memory = `${memoryMiB(spec) + overheadMiB(spec)}Mi`;
  return { requests: { cpu: "100m", memory }, limits: { memory } };
}
