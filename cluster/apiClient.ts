/** Requests to an API server with a certificate of its PKI: those of clusters, of tests and of measurements. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Pool } from "undici";

/** Milliseconds until a request fails. */
const TIMEOUT_MS = 20_000;

/** Milliseconds between a watch that broke and the next one. */
const AGAIN_MS = 200;

export const mergePatch = "application/merge-patch+json";

export interface ApiResponse {
  code: number;
  text: string;
}

export interface WatchEvent<T> {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: T;
}

/** An answer from 400 up, in the server's words. */
export class HttpError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export class ApiClient {
  private readonly requests: Pool;
  private readonly watches: Pool;
  private readonly closed = new AbortController();

  /** `pki` is the folder of `ca.crt`, and of `USER.crt` and `USER.key`. */
  constructor(server: string, pki: string, user = "admin") {
    const read = (name: string) => readFileSync(join(pki, name));
    const connect = { ca: read("ca.crt"), cert: read(`${user}.crt`), key: read(`${user}.key`) };
    const limits = { headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS };
    this.requests = new Pool(server, { connect, connections: 32, ...limits });
    this.watches = new Pool(server, { connect, bodyTimeout: 0 });
  }

  /** Sends a request and gives code and body, whatever the code. Rejects when no answer comes. */
  async request(method: string, path: string, body?: unknown, contentType = "application/json"): Promise<ApiResponse> {
    const { statusCode, body: answer } = await this.requests.request({
      ...{ method: method as "GET", path },
      ...(body !== undefined && { headers: { "content-type": contentType }, body: JSON.stringify(body) }),
    });
    return { code: statusCode, text: await answer.text() };
  }

  /** Sends a request and gives the parsed answer. Rejects with an `HttpError` from 400 up. */
  async json<T>(method: string, path: string, body?: unknown, contentType?: string): Promise<T> {
    const { code, text } = await this.request(method, path, body, contentType);
    if (code >= 400) throw new HttpError(code, `${method} ${path}: ${code} ${messageOf(text)}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** Server-side apply of an object at its path. */
  async apply(path: string, object: object): Promise<void> {
    const query = "?fieldManager=memcached-cluster&force=true";
    await this.json("PATCH", `${path}${query}`, object, "application/apply-patch+yaml");
  }

  /**
   * Hands on what there is and every change to it, and starts over whenever the watch breaks, until the client is closed
   * or the function that it gives is called.
   */
  watch<T>(path: string, onEvent: (event: WatchEvent<T>) => void): () => void {
    const ended = new AbortController();
    const signal = AbortSignal.any([ended.signal, this.closed.signal]);
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
    return () => ended.abort();
  }

  async close(): Promise<void> {
    this.closed.abort();
    await Promise.all([this.requests.destroy(), this.watches.destroy()]);
  }
}

function messageOf(text: string): string {
  try {
    return (JSON.parse(text) as { message?: string }).message ?? text;
  } catch {
    return text;
  }
}
