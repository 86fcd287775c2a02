import { type DefaultedSpec, memoryMiB } from "../../api";

/** Requests and limits of a container, as quantities. */
export interface Resources {
  requests?: Record<string, string | number>;
  limits?: Record<string, string | number>;
}

/**
 * What memcached needs beside its items, since `-m` counts items only, in whole MiB:
 *
 * - the process itself, and what the kernel keeps for its sockets;
 * - a page of 1 MiB for each of about 40 sizes of items, which memcached takes even when its memory is spent;
 * - the hash table, up to a sixth of the memory while it doubles, when all items are tiny;
 * - buffers of each thread and of each connection in the midst of a command.
 */
export function overheadMiB(spec: DefaultedSpec): number {
  const process = 16;
  const slabPages = 40;
  const hashTable = memoryMiB(spec) / 6;
  const threads = spec.threads;
  const connections = (spec.connections * 20) / 1024;
  return Math.ceil(process + slabPages + hashTable + threads + connections);
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
