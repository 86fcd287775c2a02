import { isClusterDomain } from "../../api";

/**
 * The cluster's domain from a pod's resolv.conf, in which the kubelet writes `search NAMESPACE.svc.DOMAIN svc.DOMAIN DOMAIN` and then
 * the node's domains. Undefined for any other file, as on a machine or in a pod with another DNS policy.
 */
export function clusterDomainOf(resolvConf: string): string | undefined {
  const lines = resolvConf.split("\n").map((line) => line.trim().split(/\s+/));
  const [, own, services, domain] = lines.findLast(([keyword]) => keyword === "search") ?? [];
  if (domain === undefined || !isClusterDomain(domain)) return undefined;
  return services === `svc.${domain}` && own?.endsWith(`.${services}`) ? domain : undefined;
}
