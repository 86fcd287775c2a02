/** Measures servers full of items, with every connection in the midst of a command, against the limit derived for them. */
import { maxItemSizeBytes, memoryMiB, type MemcachedSpec, withDefaults } from "../../api";
import type { RunningCluster } from "../../cluster/cluster";
import { waitFor } from "../../cluster/wait";
import { Connection, holdConnections } from "./client";
import { constant, fill, type Sizes, spread } from "./loads";
import { startServer } from "./server";

export type LoadName = "small" | "large" | "mixed";

export interface Measured {
  load: LoadName;
  spec: MemcachedSpec;
  limitMiB: number;
  peakMiB: number;
}

/** The most that is sent, in bytes a second. */
const SPEED = 64 * 2 ** 20;

/** The loads: one after the other in the same server. `mixed` is the worst: the largest hash table, then a page of every size. */
function phases(load: LoadName, largest: number): Sizes[] {
  const large = spread(512 * 1024, largest);
  if (load === "small") return [constant(50)];
  if (load === "large") return [large];
  return [constant(2), spread(10, Math.min(largest, 2 ** 20)), large];
}

export async function measure(
  cluster: RunningCluster,
  image: string,
  load: LoadName,
  spec: MemcachedSpec,
): Promise<Measured> {
  const { port, connections } = withDefaults(spec);
  // Keys and the ends of lines count for the size of an item.
  const largest = maxItemSizeBytes(spec) - 512;
  const server = await startServer(cluster, "full", image, spec);
  let release = () => {};
  try {
    const connection = await Connection.open(server.address, port);
    release = await holdConnections(server.address, port, connections);
    for (const [i, sizes] of phases(load, largest).entries()) {
      await fill(connection, `${load[0]}${i}`, sizes, memoryMiB(spec) * 1024 ** 2, SPEED);
      await waitFor("the hash table to have grown", { limitMs: 60_000 }, async () => {
        return (await connection.stats()).get("hash_is_expanding") === 0;
      });
    }
    const { count, reason } = await server.restarts();
    if (count > 0) throw new Error(`the server was restarted: ${reason}`);
    connection.close();
    return { load, spec, limitMiB: server.limitMiB, peakMiB: server.usage().peakMiB };
  } finally {
    release();
    await server.remove();
  }
}
