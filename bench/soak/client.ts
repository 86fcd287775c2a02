/** The soak's own requests, as an administrator: they go on through restarts of the API server. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";
import { HttpError, type WatchEvent } from "../api";

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** What a restart of the API server brings about: to be asked again. */
const PASSING = [429, 500, 502, 503, 504];
const AGAIN_MS = 200;
const GIVE_UP_MS = 120_000;

export interface KubeObject {
  metadata: {
    name: string;
    namespace?: string;
    uid: string;
    generation?: number;
    resourceVersion?: string;
    labels?: Record<string, string>;
    annotations?: Record<string, string>;
    ownerReferences?: { apiVersion: string; kind: string; name: string; uid: string; controller?: boolean }[];
    deletionTimestamp?: string;
  };
}

export class Client {
  private readonly requests: Pool;
  private readonly watches: Pool;
  private readonly ended = new AbortController();

  /** `pki` is the folder of `ca.crt`, `admin.crt` and `admin.key`. */
  constructor(server: string, pki: string) {
    const read = (name: string) => readFileSync(join(pki, name));
    const connect = { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
    this.requests = new Pool(server, { connect, connections: 32, headersTimeout: 15_000, bodyTimeout: 15_000 });
    this.watches = new Pool(server, { connect, bodyTimeout: 0 });
  }

  /**
   * Asks until there is an answer, for at most two minutes. Rejects with an `HttpError` for an answer that is a no. What had to be
   * sent twice may have been done the first time: `again` is given for such an answer.
   */
  async ask<T>(method: Method, path: string, body?: object, contentType = "application/json"): Promise<T> {
    const end = performance.now() + GIVE_UP_MS;
    for (let tries = 1; ; tries++) {
      try {
        return await this.once<T>(method, path, body, contentType);
      } catch (error) {
        if (this.ended.signal.aborted) throw error;
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
  async find<T>(method: Method, path: string, body?: object, contentType?: string): Promise<T | undefined> {
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

  /** Hands on what there is and every change to it, until `close`; starts over whenever the watch breaks. */
  follow<T extends KubeObject>(path: string, onEvent: (event: WatchEvent<T>) => void): void {
    const { signal } = this.ended;
    const once = async () => {
      const { body, statusCode } = await this.watches.request({ method: "GET", path: `${path}?watch=true`, signal });
      for await (const line of createInterface({ input: body })) {
        const event = JSON.parse(line) as WatchEvent<T>;
        if (statusCode !== 200 || !["ADDED", "MODIFIED", "DELETED"].includes(event.type)) return;
        onEvent(event);
      }
    };
    const forEver = async () => {
      while (!signal.aborted) {
        await once().catch(() => undefined);
        await sleep(AGAIN_MS);
      }
    };
    void forEver();
  }

  async close(): Promise<void> {
    this.ended.abort();
    await Promise.all([this.requests.destroy(), this.watches.destroy()]);
  }

  private async once<T>(method: Method, path: string, body: object | undefined, contentType: string): Promise<T> {
    const response = await this.requests.request({
      ...{ method, path },
      headers: body ? { "content-type": contentType } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.body.text();
    if (response.statusCode >= 400)
      throw new HttpError(response.statusCode, `${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return JSON.parse(text) as T;
  }
}
