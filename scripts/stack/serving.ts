/** The moment at which a cache's servers are those of its status, and its name leads to them alone. */
import type { RunningCluster } from "../../cluster/cluster";
import { waitFor } from "../../cluster/wait";
import { addressesOf } from "./readBack";

/** Milliseconds for servers to come and to go; one that ends answers for some seconds, and its address stays in DNS. */
const LIMIT_MS = 120_000;

interface Cache {
  spec: { size?: number };
  status?: { nodes?: string[]; servers?: string[] };
}

/** Path of a cache in the API. */
export const cachePath = (namespace: string, name: string): string =>
  `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/${name}`;

/** Waits until a cache has the servers that its size asks for and its name has their addresses, and gives `servers`. */
export async function servingServers(cluster: RunningCluster, namespace: string, name: string): Promise<string[]> {
  const { client, settings } = cluster;
  const addressOfPod = async (pod: string) => {
    const path = `/api/v1/namespaces/${namespace}/pods/${pod}`;
    return (await client.json<{ status: { podIP?: string } }>("GET", path)).status.podIP ?? `none of ${pod} yet`;
  };
  return waitFor(`${name} to have its servers and no others`, { limitMs: LIMIT_MS, everyMs: 200 }, async () => {
    const { spec, status = {} } = await client.json<Cache>("GET", cachePath(namespace, name));
    const { nodes = [], servers = [] } = status;
    if (nodes.length !== (spec.size ?? 1)) throw new Error(`it has ${nodes.length} servers of ${spec.size ?? 1}`);
    const pods = (await Promise.all(nodes.map(addressOfPod))).sort();
    const found = (await Promise.all(servers.map((server) => addressesOf(settings, server)))).flat();
    const named = found.map((address) => address.slice(0, address.lastIndexOf(":"))).sort();
    if (named.join() !== pods.join()) throw new Error(`its name leads to ${named.join(", ")}, not ${pods.join(", ")}`);
    return servers;
  });
}
