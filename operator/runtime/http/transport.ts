import type { Dispatcher } from "undici";
import { sleep, systemClock } from "../clock";
import type { Config } from "../config/config";
import { FencedError, TransportError } from "../errors";
import { connector } from "./connector";
import { ConnectionPool } from "./connectionPool";
import { parseLean } from "./leanJson";
import { Limiter } from "./limiter";
import { proxyFor } from "./proxyFor";
import { type Answer, request } from "./request";
import { apiErrorOf, retryAfterSeconds, transportErrorOf } from "./response";

const requestsInFlight = 16;
const maxRetries = 10;
const maxRetryWaitMs = 30_000;

/** Connections that never wait behind other requests. */
export type OwnPool = "watch" | "lease";

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query below the server's URL. */
  path: string;
  body?: string;
  contentType?: string;
  signal?: AbortSignal;
  /** For one try. */
  timeoutMs: number;
  /** Default: those of all other requests. */
  pool?: OwnPool;
  /** Keeps them in the answer. */
  managedFields?: boolean;
  /** Longest wait, all retries together, for a server that asks to come back later. Default 30000. */
  retryWaitMs?: number;
}

/** Told about every request, for metrics. `code` is the HTTP status or "<error>". */
export interface RequestObserver {
  request(method: string, host: string, code: string, seconds: number): void;
  /** Bytes of the bodies of a request that was answered; not told for streams. */
  sizes(method: string, host: string, requestBytes: number, responseBytes: number): void;
  retry(method: string, host: string, code: string): void;
  connect(host: string): void;
}

export interface TransportOptions {
  config: Config;
  userAgent: string;
  observer?: RequestObserver;
  env?: NodeJS.ProcessEnv;
}

/** An answer with its body, which of a watch that was taken on is left to the caller. */
interface Read extends Answer {
  text: string;
}

/** The part of a transport that reading needs. */
export type Reader = Pick<Transport, "json" | "stream">;

/** One API server over HTTP: connections, credentials, deadlines, retries. Knows nothing of objects. */
export class Transport {
  readonly host: string;
  private readonly prefix: string;
  private readonly pools: Record<"requests" | OwnPool, ConnectionPool>;
  private readonly limiter = new Limiter(requestsInFlight);
  private readonly closed = new AbortController();
  private barrier: () => string | undefined = () => undefined;

  constructor(private readonly options: TransportOptions) {
    const { config, env = process.env } = options;
    const url = new URL(config.server);
    this.host = url.host;
    this.prefix = url.pathname.replace(/\/+$/, "");
    const proxy = proxyFor(config.server, env, config.proxyUrl);
    const connect = connector(config, proxy, () => options.observer?.connect(this.host));
    const pool = (connections: number | null, keepAliveTimeout: number) =>
      new ConnectionPool(url.origin, { connect, connections, keepAliveTimeout });
    this.pools = { requests: pool(4 * requestsInFlight, 60_000), watch: pool(null, 1_000), lease: pool(2, 60_000) };
  }

  /** From now on writes, but those of the lease, are sent only while `barrier` gives no reason against them. */
  fence(barrier: () => string | undefined): void {
    this.barrier = barrier;
  }

  /** The parsed JSON answer. Rejects with ApiError, TransportError, FencedError or the signal's reason. */
  async json(call: Call): Promise<unknown> {
    const { text } = await this.answered(call);
    if (text === "") return undefined;
    return call.managedFields ? JSON.parse(text) : parseLean(text);
  }

  /** The body of a long answer in pieces. `signal` ends it; the caller watches for silence. */
  async stream(path: string, signal: AbortSignal, headersTimeoutMs: number): Promise<AsyncIterable<Buffer>> {
    const call = { method: "GET", path, signal, timeoutMs: headersTimeoutMs, pool: "watch", retryWaitMs: 0 } as const;
    return (await this.answered(call)).body;
  }

  /** Fails what is under way, except watches and the lease: after this nothing of ours can arrive any more. */
  async endRequests(): Promise<void> {
    await this.pools.requests.destroy();
  }

  /** Ends all connections; calls under way and later ones fail. */
  async close(): Promise<void> {
    this.closed.abort(new TransportError("CLOSED", "the client is closed"));
    await Promise.all(Object.values(this.pools).map((pool) => pool.destroy()));
  }

  /** Tries until there is an answer that is no reason for another try. Rejects with an ApiError for a refusal. */
  private async answered(call: Call): Promise<Read> {
    let refresh = false;
    let reset = false;
    let waitedMs = 0;
    for (let attempt = 0; ; attempt++) {
      let answer: Read;
      try {
        answer = await this.once(call, refresh);
      } catch (error) {
        // A kept-alive connection that the server has just closed. A create may have arrived; all else may be sent twice.
        const code = error instanceof TransportError ? error.code : "";
        if (reset || call.method === "POST" || !["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code)) throw error;
        reset = true;
        continue;
      }
      if (answer.status < 400) return answer;
      if (answer.status === 401 && !refresh) {
        refresh = true;
        this.pool(call).rotate();
      } else {
        const waitMs = retryWaitMs(answer);
        if (waitMs === undefined || attempt >= maxRetries || waitedMs + waitMs > (call.retryWaitMs ?? maxRetryWaitMs))
          throw apiErrorOf(answer.status, answer.headers, answer.text);
        waitedMs += waitMs;
        await sleep(systemClock, waitMs, call.signal);
        call.signal?.throwIfAborted();
      }
      this.options.observer?.retry(call.method, this.host, String(answer.status));
    }
  }

  /** One try. */
  private async once(call: Call, refresh: boolean): Promise<Read> {
    const { observer } = this.options;
    const leave = call.pool === undefined ? await this.limiter.enter() : () => undefined;
    try {
      return await this.deadline(call, async (signal) => {
        const options = await this.prepare(call, refresh);
        signal.throwIfAborted();
        this.admit(call);
        const isWatch = call.pool === "watch";
        // A watch goes on after the deadline, which is that of its beginning.
        const ends = isWatch && call.signal ? AbortSignal.any([call.signal, signal]) : signal;
        const send = () => request(this.pool(call).current, options, ends, () => this.admit(call));
        const answer = await this.timed(call, send);
        if (isWatch && answer.status < 400) return { ...answer, text: "" };
        const text = await answer.body.text();
        observer?.sizes(call.method, this.host, Buffer.byteLength(call.body ?? ""), answer.body.received);
        return { ...answer, text };
      });
    } finally {
      // A moment later its connection is free again; the next request would open another now.
      setImmediate(leave);
    }
  }

  private pool(call: Call): ConnectionPool {
    return this.pools[call.pool ?? "requests"];
  }

  private admit({ method, pool }: Call): void {
    const reason = method === "GET" || pool === "lease" ? undefined : this.barrier();
    if (reason !== undefined) throw new FencedError(reason);
  }

  private async prepare(call: Call, refresh: boolean): Promise<Dispatcher.DispatchOptions> {
    const { config, userAgent } = this.options;
    const authorization = await config.authorization(refresh);
    const headers: Record<string, string> = { accept: "application/json", "user-agent": userAgent };
    if (authorization) headers.authorization = authorization;
    if (call.body !== undefined) headers["content-type"] = call.contentType ?? "application/json";
    return { method: call.method, path: this.prefix + call.path, headers, body: call.body };
  }

  /** Tells the observer how the request ends. */
  private async timed(call: Call, send: () => Promise<Answer>): Promise<Answer> {
    const started = performance.now();
    const observe = (code: string) =>
      this.options.observer?.request(call.method, this.host, code, (performance.now() - started) / 1000);
    try {
      const answer = await send();
      observe(String(answer.status));
      return answer;
    } catch (error) {
      observe("<error>");
      throw error;
    }
  }

  /**
   * Runs one try under its own clock, the caller's signal and the life of the transport. It is the one place where a request is given up: at
   * once, though one that waits for a connection hears of it only when it gets one, and then is not sent.
   */
  private async deadline<T>(call: Call, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const { signal } = controller;
    const what = `${call.method} ${this.host}${call.path.split("?", 1)[0]}`;
    const outer = [call.signal, this.closed.signal].filter((each) => each !== undefined);
    const follow = () => controller.abort(outer.find((each) => each.aborted)?.reason);
    const timer = setTimeout(() => {
      controller.abort(new TransportError("TIMEOUT", `${what}: no answer within ${call.timeoutMs / 1000} s`));
      this.pool(call).rotate();
    }, call.timeoutMs);
    for (const each of outer) each.addEventListener("abort", follow, { once: true });
    try {
      if (outer.some((each) => each.aborted)) follow();
      signal.throwIfAborted();
      const ended = new Promise<never>((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      });
      return await Promise.race([run(signal), ended]);
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (error instanceof FencedError) throw error;
      throw transportErrorOf(error, what);
    } finally {
      clearTimeout(timer);
      for (const each of outer) each.removeEventListener("abort", follow);
    }
  }
}

/** How long the server wants us to wait before trying again, if it wants us to. */
function retryWaitMs({ status, headers }: Answer): number | undefined {
  const seconds = retryAfterSeconds(headers);
  if (status === 429) return (seconds ?? 1) * 1000;
  return status >= 500 && seconds !== undefined ? seconds * 1000 : undefined;
}
