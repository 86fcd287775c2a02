import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** Milliseconds that a server has for its answer, beside those for which this process is at something else. */
const LIMIT_MS = 2000;

const TICK_MS = 50;

/** Why a server gives no answer. */
export interface Silence {
  reason: string;
  /** Whether it says nothing at all, and would let anyone wait. */
  lasting: boolean;
}

/**
 * Asks a server for its /version, and gives why there is no answer; nothing when there is one. Any answer will do: whether it
 * lets us in is the provider's to say.
 */
export function silence(server: string): Promise<Silence | undefined> {
  const url = new URL("version", server.endsWith("/") ? server : `${server}/`);
  return new Promise((resolve) => {
    const request = url.protocol === "http:" ? httpRequest : httpsRequest;
    const asked = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(undefined);
    });
    const fail = (lasting: boolean) => (error: Error) => resolve({ reason: `${server}: ${error.message}`, lasting });
    const stop = afterTicks(LIMIT_MS / TICK_MS, () => {
      fail(true)(new Error(`no answer in ${LIMIT_MS / 1000} s`));
      asked.destroy();
    });
    asked.on("error", fail(false));
    asked.on("close", stop);
    asked.end();
  });
}

/**
 * Acts after so many ticks, and gives what calls it off. While modules load, the process can be busy for longer than any
 * limit, and a timer then fires before the answer that is already there is read: a tick counts once, however long it took.
 */
function afterTicks(ticks: number, act: () => void): () => void {
  let left = ticks;
  const timer = setInterval(() => {
    if (--left > 0) return;
    clearInterval(timer);
    act();
  }, TICK_MS);
  return () => clearInterval(timer);
}
