import type { MemcachedSpec } from "./fields";
import { dnsSubdomain } from "./patterns";

/** The domain of most clusters, which tools take where none is named. */
export const defaultClusterDomain = "cluster.local";

/** With it the address of the longest cache's last server still fits into an item of status.servers. */
const longestDomain = 128;

/** What is asked for where a cluster's domain is to be given. */
export const clusterDomainForm = `a DNS name such as "${defaultClusterDomain}", of at most ${longestDomain} characters, without a dot at its end`;

/** Whether the text can be a cluster's domain. */
export function isClusterDomain(text: string): boolean {
  return text.length <= longestDomain && new RegExp(dnsSubdomain).test(text);
}

/** Which cache, in which cluster. */
export interface Place {
  name: string;
  namespace: string;
  clusterDomain: string;
}

/** What runs the servers. */
export interface Servers {
  workload: NonNullable<MemcachedSpec["workload"]>;
  size: number;
  port: number;
}

/**
 * The one DNS name of all servers, in full: without the cluster's domain it is found neither by clients that ask DNS themselves, with no
 * search list, nor by some resolvers where `ndots` is lower than usual. Without a dot at its end, as Kubernetes' own tools give it.
 */
export function hostName({ name, namespace, clusterDomain }: Place): string {
  return `${name}.${namespace}.svc.${clusterDomain}`;
}

/**
 * What clients connect to, as HOST:PORT, in an order that stays: each server of a StatefulSet by its own name, the servers of a
 * Deployment by the one name they have.
 */
export function serverAddresses(place: Place, { workload, size, port }: Servers): string[] {
  const address = `${hostName(place)}:${port}`;
  if (workload === "Deployment") return [address];
  return Array.from({ length: size }, (_, i) => `${place.name}-${i}.${address}`);
}

/** The cluster's domain in an address of a cache's servers; undefined where there is none. */
export function clusterDomainIn(
  address: string,
  { name, namespace }: Omit<Place, "clusterDomain">,
): string | undefined {
  const host = `${name}.${namespace}.svc.`;
  const start = address.indexOf(host);
  return start < 0 ? undefined : address.slice(start + host.length).split(":")[0];
}
