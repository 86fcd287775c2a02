/** The soak's own requests, which go on through restarts of the API server. */
import type { V1ObjectMeta } from "@kubernetes/client-node";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient, HttpError } from "../../cluster/apiClient";

/** What a restart of the API server brings about: to be asked again. */
const PASSING = [429, 500, 502, 503, 504];
const AGAIN_MS = 200;
const GIVE_UP_MS = 120_000;

/** An object as it is in the API: it has a name and a UID. */
export type KubeObject<T = object> = T & { metadata: V1ObjectMeta & { name: string; uid: string } };

export class Client extends ApiClient {
  private ended = false;

  /**
   * Asks until there is an answer, for at most two minutes. Rejects with an `HttpError` for an answer that is a no. What was
   * sent twice may have been done the first time: the answer is undefined then.
   */
  async ask<T>(method: string, path: string, body?: object, contentType?: string): Promise<T> {
    const end = performance.now() + GIVE_UP_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await this.json<T>(method, path, body, contentType);
      } catch (error) {
        if (this.ended) throw error;
        const code = error instanceof HttpError ? error.code : 0;
        // Sent twice, done once: it was there, or gone, the second time.
        if (tries > 1 && ((method === "POST" && code === 409) || (method === "DELETE" && code === 404)))
          return undefined as T;
        if ((code !== 0 && !PASSING.includes(code)) || performance.now() > end) throw error;
        await sleep(AGAIN_MS);
      }
    }
  }

  /** As `ask`, and undefined for what is not there. */
  async find<T>(method: string, path: string, body?: object, contentType?: string): Promise<T | undefined> {
    try {
      return await this.ask<T>(method, path, body, contentType);
    } catch (error) {
      if (error instanceof HttpError && error.code === 404) return undefined;
      throw error;
    }
  }

  async list<T>(path: string): Promise<T[]> {
    return (await this.ask<{ items: T[] }>("GET", path)).items;
  }

  override async close(): Promise<void> {
    this.ended = true;
    await super.close();
  }
}
