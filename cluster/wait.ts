/** Waiting with a limit: every wait names what it waits for. */
import { setTimeout as sleep } from "node:timers/promises";

export interface WaitOptions {
  /** Milliseconds until the wait fails. */
  limitMs: number;
  /** Milliseconds between two probes; 100 by default. */
  everyMs?: number;
}

/**
 * Probes until something is given back, and gives that. A probe that throws has not succeeded yet; its last error is
 * in the message when the limit is reached.
 */
export async function waitFor<T>(
  what: string,
  { limitMs, everyMs = 100 }: WaitOptions,
  probe: () => Promise<T | undefined | false> | T | undefined | false,
): Promise<T> {
  const end = performance.now() + limitMs;
  let last = "";
  for (;;) {
    try {
      const result = await probe();
      if (result !== undefined && result !== false) return result;
    } catch (error) {
      last = error instanceof Error ? error.message : String(error);
    }
    if (performance.now() > end)
      throw new Error(`waited ${limitMs / 1000} s for ${what}${last ? `; the last try said: ${last}` : ""}`);
    await sleep(everyMs);
  }
}
