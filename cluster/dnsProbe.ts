/** Asks a cluster's DNS a question from this machine. */
import { Resolver } from "node:dns/promises";
import { addresses, type ClusterSettings } from "./settings";

/** IPv4 addresses of a name as the cluster's DNS gives them; rejects when it has none. */
export async function resolveIn(settings: ClusterSettings, name: string): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2000, tries: 1 });
  resolver.setServers([addresses(settings).gateway]);
  return resolver.resolve4(name);
}
