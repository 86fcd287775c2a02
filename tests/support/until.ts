/** Waiting in tests: on conditions, with a limit, and with a sentence of what is awaited. */
import { waitFor } from "../../cluster/wait";

/** Probes every 50 ms until something is given back, and gives that; fails after `limitMs` naming `what`. */
export function until<T>(
  what: string,
  limitMs: number,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  return waitFor(what, { limitMs, everyMs: 50 }, probe);
}
