/** Proof that a cache works: a value stored and read through it by a real client, as an application would. */
import { randomBytes } from "node:crypto";
import { Client } from "memjs";
import { resolveIn } from "../../cluster/dnsProbe";
import type { ClusterSettings } from "../../cluster/settings";

export interface ReadBack {
  servers: readonly string[];
  key: string;
  value: string;
  /** `ADDRESS:PORT` of the servers that were used. */
  addresses: string[];
}

/** Turns a server of `status.servers` (`NAME.NAMESPACE.svc.cluster.local:PORT`) into addresses, by the cluster's own DNS. */
export async function addressesOf(settings: ClusterSettings, server: string): Promise<string[]> {
  const [host = "", port = "11211"] = server.split(":");
  const found = await resolveIn(settings, host);
  return found.sort().map((address) => `${address}:${port}`);
}

/** Stores a value under a new key and reads it back; fails when another value or none comes back. */
export async function storeAndRead(settings: ClusterSettings, servers: readonly string[]): Promise<ReadBack> {
  const addresses = (await Promise.all(servers.map((server) => addressesOf(settings, server)))).flat();
  const client = Client.create(addresses.join(","), { timeout: 2, retries: 2 });
  const key = `greeting-${randomBytes(4).toString("hex")}`;
  const value = `hello from ${addresses.length} memcached ${addresses.length === 1 ? "server" : "servers"}`;
  try {
    await client.set(key, value, { expires: 60 });
    const read = (await client.get(key)).value?.toString();
    if (read !== value)
      throw new Error(`stored ${JSON.stringify(value)} under ${key} and read ${JSON.stringify(read)}`);
    return { servers, key, value, addresses };
  } finally {
    client.close();
  }
}
