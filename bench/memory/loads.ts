/** What a cache is filled with. Each load goes on until items had to be evicted for it, whatever was there before. */
import { setTimeout as delay } from "node:timers/promises";
import { Random } from "../random";
import type { Connection } from "./client";

/** Bytes sent in one write. */
const CHUNK = 256 * 1024;

/** Sizes of the values in bytes, one after the other, for as long as the load is asked. */
export type Sizes = () => number;

export const constant =
  (bytes: number): Sizes =>
  () =>
    bytes;

/** Sizes between both, each order of magnitude as often as the others; the same ones every time. */
export function spread(least: number, most: number): Sizes {
  const random = new Random(42);
  return () => Math.floor(least * (most / least) ** random.next());
}

const filler = Buffer.alloc(2 ** 20, "v").toString("latin1");
const valueOf = (bytes: number): string =>
  bytes <= filler.length ? filler.slice(0, bytes) : filler.repeat(Math.ceil(bytes / filler.length)).slice(0, bytes);

/** Sent at the least, so that there are items of every size among those of a spread. */
const LEAST = 32 * 2 ** 20;

/**
 * Stores values of these sizes, at most `speed` bytes a second, until memcached has evicted a tenth as many items. Gives what was stored
 * and evicted meanwhile.
 */
export async function fill(
  connection: Connection,
  prefix: string,
  sizes: Sizes,
  memoryBytes: number,
  speed = Infinity,
): Promise<{ stored: number; evicted: number }> {
  const evictions = async () => (await connection.stats()).get("evictions") ?? 0;
  const before = await evictions();
  const begin = Date.now();
  let [stored, sent, evicted] = [0, 0, 0];
  for (; sent < LEAST || evicted * 10 < stored;) {
    if (sent > 8 * memoryBytes) throw new Error(`too few evictions after ${sent} bytes`);
    for (const until = sent + memoryBytes / 16; sent < until;) {
      let text = "";
      while (text.length < CHUNK) {
        const size = sizes();
        text += `set ${prefix}${(stored++).toString(36)} 0 0 ${size} noreply\r\n${valueOf(size)}\r\n`;
      }
      sent += text.length;
      await connection.send(text);
      const early = begin + (sent / speed) * 1000 - Date.now();
      if (early > 1) await delay(early);
    }
    evicted = (await evictions()) - before;
  }
  return { stored, evicted };
}
