import { isClusterDomain } from "../../api";

/**
 * The cluster's domain by the resolv.conf that a kubelet gives a pod: `search NAMESPACE.svc.DOMAIN svc.DOMAIN DOMAIN`, and then what the
 * node searches. Undefined where the file is not such a one: on a machine, or in a pod with a DNS policy of its own.
 */
export function clusterDomainOf(resolvConf: string): string | undefined {
  const lines = resolvConf.split("\n").map((line) => line.trim().split(/\s+/));
  const [, own, services, domain] = lines.findLast(([keyword]) => keyword === "search") ?? [];
  if (domain === undefined || !isClusterDomain(domain)) return undefined;
  return services === `svc.${domain}` && own?.endsWith(`.${services}`) ? domain : undefined;
}
