/** Measures servers full of items, with every connection in the midst of a command, against the limit derived for them. */
import { maxItemSizeBytes, memoryMiB, type MemcachedSpec, withDefaults } from "../../api";
import type { RunningCluster } from "../../cluster/cluster";
import { waitFor } from "../../cluster/wait";
import { Connection, holdConnections } from "./client";
import { constant, fill, type Sizes, spread } from "./loads";
import { startServer } from "./server";

export type LoadName = "small" | "large" | "mixed";

export interface Case {
  load: LoadName;
  spec: MemcachedSpec;
  /** The most that is sent, in bytes a second. */
  speed: number;
}

export interface Measured extends Case {
  limitMiB: number;
  peakMiB: number;
  residentMiB: number;
  /** Connections that were open at the end. */
  connections: number;
  items: number;
  evictions: number;
  restarts: number;
}

/** The loads: one after the other in the same server. `mixed` is the worst: the largest hash table, then a page of every size. */
function phases(load: LoadName, largest: number): Sizes[] {
  const large = spread(512 * 1024, largest);
  if (load === "small") return [constant(50)];
  if (load === "large") return [large];
  return [constant(2), spread(10, Math.min(largest, 2 ** 20)), large];
}

export async function measure(cluster: RunningCluster, image: string, name: string, of: Case): Promise<Measured> {
  const { port, connections } = withDefaults(of.spec);
  // Keys and the ends of lines count for the size of an item.
  const largest = maxItemSizeBytes(of.spec) - 512;
  const server = await startServer(cluster, name, image, of.spec);
  let release = () => {};
  try {
    const connection = await Connection.open(server.address, port);
    release = await holdConnections(server.address, port, connections);
    for (const [i, sizes] of phases(of.load, largest).entries()) {
      await fill(connection, `${of.load[0]}${i}`, sizes, memoryMiB(of.spec) * 1024 ** 2, of.speed);
      await waitFor("the hash table to have grown", { limitMs: 60_000 }, async () => {
        return (await connection.stats()).get("hash_is_expanding") === 0;
      });
    }
    const stats = await connection.stats();
    const { count, reason } = await server.restarts();
    if (reason) throw new Error(`${name} was restarted: ${reason}`);
    connection.close();
    return {
      ...of,
      ...server.usage(),
      limitMiB: server.limitMiB,
      connections: stats.get("curr_connections") ?? 0,
      items: stats.get("curr_items") ?? 0,
      evictions: stats.get("evictions") ?? 0,
      restarts: count,
    };
  } finally {
    release();
    await server.remove();
  }
}
