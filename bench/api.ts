/** The harness's own requests, as an administrator: lean, since the harness shares the machine with those it measures. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Pool } from "undici";

export class HttpError extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message);
  }
}

export interface WatchEvent<T> {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: T;
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export const mergePatch = "application/merge-patch+json";

export class Api {
  private readonly requests: Pool;
  private readonly watches: Pool;

  /** `pki` is the folder of `ca.crt`, `admin.crt` and `admin.key`. */
  constructor(server: string, pki: string) {
    const read = (name: string) => readFileSync(join(pki, name));
    const connect = { ca: read("ca.crt"), cert: read("admin.crt"), key: read("admin.key") };
    this.requests = new Pool(server, { connect, connections: 32 });
    this.watches = new Pool(server, { connect, bodyTimeout: 0 });
  }

  /** Rejects with an `HttpError` in the server's words from 400 up. */
  async request<T>(method: Method, path: string, body?: object, contentType = "application/json"): Promise<T> {
    const response = await this.requests.request({
      ...{ method, path },
      headers: body ? { "content-type": contentType } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
    const text = await response.body.text();
    if (response.statusCode >= 400)
      throw new HttpError(response.statusCode, `${method} ${path}: ${response.statusCode} ${text.slice(0, 500)}`);
    return (text === "" ? undefined : JSON.parse(text)) as T;
  }

  /** Hands on what there is and every change to it. Gives a function that ends the watch. */
  watch<T extends { metadata: { resourceVersion?: string } }>(
    path: string,
    onEvent: (event: WatchEvent<T>) => void,
  ): () => void {
    const ended = new AbortController();
    let version = "";
    const follow = async () => {
      const query = `watch=true${version ? `&resourceVersion=${version}` : ""}`;
      const { body } = await this.watches.request({ method: "GET", path: `${path}?${query}`, signal: ended.signal });
      for await (const line of lines(body)) {
        const event = JSON.parse(line) as WatchEvent<T> | { type: "ERROR"; object: { message?: string } };
        if (event.type === "ERROR") throw new Error(`the watch of ${path} ended: ${event.object.message}`);
        version = event.object.metadata.resourceVersion ?? version;
        onEvent(event);
      }
    };
    const run = async () => {
      while (!ended.signal.aborted) await follow();
    };
    run().catch((error: unknown) => {
      if (!ended.signal.aborted) throw error;
    });
    return () => ended.abort();
  }

  async close(): Promise<void> {
    await Promise.all([this.requests.destroy(), this.watches.destroy()]);
  }
}

async function* lines(body: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer[] = [];
  for await (const chunk of body) {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      rest.push(chunk.subarray(from, end));
      yield Buffer.concat(rest).toString();
      rest = [];
      from = end + 1;
    }
    rest.push(chunk.subarray(from));
  }
}
