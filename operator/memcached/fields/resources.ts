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
 * Memory in MiB that memcached needs in addition to its items, because `-m` counts items only:
 *
 * - the process itself, and the kernel's memory for its sockets;
 * - a page of 1 MiB for each of about 40 slab classes, which memcached allocates even if its memory is full;
 * - the hash table, up to a sixth of the memory while it grows, if all items are tiny;
 * - buffers for each thread, and for each connection that executes a command;
 * - with TLS, 25 KiB for each connection as measured, and a record of 16 KiB under way.
 */
export function overheadMiB(spec: DefaultedSpec): number {
  const process = 16;
  const slabPages = 40;
  const hashTable = memoryMiB(spec) / 6;
  const threads = spec.threads;
  const connections = (spec.connections * (spec.tls ? 20 + 41 : 20)) / 1024;
  return Math.ceil(process + slabPages + hashTable + threads + connections);
}

/**
 * The user's `resources` with defaults for each missing name. Kubernetes sets a missing request to the limit. The derived memory limit
 * is enough for a full cache with all connections in use. The derived request equals the limit, because a cache fills up. There is no
 * CPU limit, because throttling a cache slows down all clients.
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

/** The derived limit, or the request if that is larger: the API server refuses a request above the limit. */
function atLeast(derived: string, request: string | number = 0): string | number {
  return parseQuantity(request) > parseQuantity(derived) ? request : derived;
}
