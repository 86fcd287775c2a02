import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";

/** Milliseconds to wait for an answer, without the time in which this process is busy. */
const LIMIT_MS = 2000;

const TICK_MS = 50;

/** Why a server does not answer. */
export interface Silence {
  reason: string;
  /** Whether it does not respond at all, so that every client would wait. */
  lasting: boolean;
}

/**
 * Requests /version of a server, and returns why there is no answer; undefined if there is one. Any answer counts: the provider
 * checks the credentials.
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
 * Calls `act` after a number of ticks, and returns a function that cancels it. While modules load, the process can be busy for longer
 * than the limit, and a single timer would fire before a received answer is read. Each tick counts once, however long it takes.
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
