import type { V1Container } from "@kubernetes/client-node";
import { type DefaultedSpec, memoryMiB, parseQuantity } from "../../../api";
import type { Field } from "./field";

export const resources: Field = {
  container: ({ spec }) => ({ resources: requirements(spec) as V1Container["resources"] }),
  origins: [[/^spec\.template\.spec\.containers\[0\]\.resources/, "spec.resources"]],
};

/** Requests and limits of a container, as quantities. */
interface Resources {
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
 * The user's `resources`, completed name by name. A name that they hold is the user's; Kubernetes makes a request that is left out
 * equal to the limit. Memory without a limit has the one derived from `memory`, below which a full cache with every connection in use
 * stays. The derived request equals the limit, for a cache fills up, and a node must not be promised that memory twice. No CPU limit:
 * throttling a cache slows all of its clients.
 */
export function requirements(spec: DefaultedSpec): Resources {
  const { requests = {}, limits = {} } = (spec.resources ?? {}) as Resources;
  const isNamed = (name: string): boolean => name in requests || name in limits;
  const derived = `${memoryMiB(spec) + overheadMiB(spec)}Mi`;
  return {
    requests: {
      ...(!isNamed("cpu") && { cpu: "100m" }),
      ...(!isNamed("memory") && { memory: derived }),
      ...requests,
    },
    limits: { memory: atLeast(derived, requests.memory), ...limits },
  };
}

/** The derived limit, or the request where that is larger: the API server refuses a request above its limit. */
function atLeast(derived: string, request: string | number = 0): string | number {
  return parseQuantity(request) > parseQuantity(derived) ? request : derived;
}
