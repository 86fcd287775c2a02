import { microTimestamp } from "../conditions";
import type { Client } from "../http/client";
import type { KubeObject, ResourceType } from "../types";

export const leaseType: ResourceType = {
  group: "coordination.k8s.io",
  version: "v1",
  plural: "leases",
  kind: "Lease",
  namespaced: true,
};

export interface LeaseSpec {
  holderIdentity?: string;
  leaseDurationSeconds?: number;
  acquireTime?: string;
  renewTime?: string;
  leaseTransitions?: number;
}

export interface Lease extends KubeObject {
  spec: LeaseSpec;
}

/** The claim of `identity` on a lease as it was last seen; wall-clock times in it are for people, never for us. */
export function claim(seen: LeaseSpec | undefined, identity: string, durationMs: number, now = new Date()): LeaseSpec {
  const time = microTimestamp(now);
  const mine = seen?.holderIdentity === identity;
  return {
    holderIdentity: identity,
    leaseDurationSeconds: Math.round(durationMs / 1000),
    acquireTime: mine ? (seen.acquireTime ?? time) : time,
    renewTime: time,
    leaseTransitions: (seen?.leaseTransitions ?? 0) + (mine || !seen ? 0 : 1),
  };
}

/** What a leader leaves behind so that the next one need not wait. */
export function released(seen: LeaseSpec, now = new Date()): LeaseSpec {
  const time = microTimestamp(now);
  return {
    holderIdentity: "",
    leaseDurationSeconds: 1,
    acquireTime: time,
    renewTime: time,
    leaseTransitions: seen.leaseTransitions,
  };
}

/** Writes `spec` over exactly the lease that was seen: 409 when someone else was faster. */
export function putLease(client: Client, seen: Lease, spec: LeaseSpec, timeoutMs: number): Promise<Lease> {
  return client.replace<Lease>(leaseType, { ...seen, spec } as Lease, { timeoutMs });
}
