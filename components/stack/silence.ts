import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** Milliseconds that a server has for its answer, beside those for which this process is at something else. */
const LIMIT_MS = 2000;

const TICK_MS = 50;

/**
 * Asks a server for its /version, and gives why there is no answer; nothing when there is one. Any answer will do: whether it
 * lets us in is the provider's to say.
 */
export function silence(server: string): Promise<string | undefined> {
  const url = new URL("version", server.endsWith("/") ? server : `${server}/`);
  return new Promise((resolve) => {
    const request = url.protocol === "http:" ? httpRequest : httpsRequest;
    const asked = request(url, { rejectUnauthorized: false, agent: false }, (response) => {
      response.resume();
      resolve(undefined);
    });
    const stop = afterTicks(LIMIT_MS / TICK_MS, () => asked.destroy(new Error(`no answer in ${LIMIT_MS / 1000} s`)));
    asked.on("error", (error) => resolve(`${server}: ${error.message}`));
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
