import type { MemcachedSpec } from "./fields";
import { dnsSubdomain } from "./patterns";

/** The domain of most clusters. */
export const defaultClusterDomain = "cluster.local";

/** With a longer domain the longest address would not fit into an item of status.servers. */
const longestDomain = 128;

/** Describes a valid cluster domain, for messages. */
export const clusterDomainForm = `a DNS name such as "${defaultClusterDomain}", of at most ${longestDomain} characters, without a dot at the end`;

/** Whether the text can be a cluster's domain. */
export function isClusterDomain(text: string): boolean {
  return text.length <= longestDomain && new RegExp(dnsSubdomain).test(text);
}

/** Where a cache is. */
export interface Place {
  name: string;
  namespace: string;
  clusterDomain: string;
}

/** The servers of a cache. */
export interface Servers {
  workload: NonNullable<MemcachedSpec["workload"]>;
  size: number;
  port: number;
}

/**
 * The DNS name of the Service, with the cluster's domain: clients that do not use the search list of resolv.conf cannot resolve
 * a shorter one. Without a dot at the end, as Kubernetes' own tools write it.
 */
export function hostName({ name, namespace, clusterDomain }: Place): string {
  return `${name}.${namespace}.svc.${clusterDomain}`;
}

/**
 * Addresses for clients, as HOST:PORT, in a stable order: each server of a StatefulSet has its own, the servers of a
 * Deployment share one.
 */
export function serverAddresses(place: Place, { workload, size, port }: Servers): string[] {
  const address = `${hostName(place)}:${port}`;
  if (workload === "Deployment") return [address];
  return Array.from({ length: size }, (_, i) => `${place.name}-${i}.${address}`);
}

/** The cluster's domain in an address of a cache; undefined if the address has none. */
export function clusterDomainIn(
  address: string,
  { name, namespace }: Omit<Place, "clusterDomain">,
): string | undefined {
  const host = `${name}.${namespace}.svc.`;
  const start = address.indexOf(host);
  return start < 0 ? undefined : address.slice(start + host.length).split(":")[0];
}
