import type { Dispatcher } from "undici";
import type { Clock } from "../clock";
import { sleep, systemClock } from "../clock";
import type { Config } from "../config/config";
import { FencedError, TransportError } from "../errors";
import { type Answer, collect } from "./collect";
import { connector } from "./connector";
import { ConnectionPool } from "./connectionPool";
import { parseLean } from "./leanJson";
import { Limiter } from "./limiter";
import { proxyFor } from "./proxyFor";
import { apiErrorOf, retryAfterSeconds, transportErrorOf } from "./response";

const requestsInFlight = 16;
const maxRetries = 10;
const maxRetryWaitMs = 30_000;

/** Which connections a call uses: watches and the lease never wait behind other requests. */
export type PoolName = "requests" | "watch" | "lease";

export interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Path and query below the server's URL. */
  path: string;
  body?: string;
  contentType?: string;
  signal?: AbortSignal;
  /** For one try. */
  timeoutMs: number;
  pool?: PoolName;
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

/** Reasons to hold back: a write about to be sent, a connection that writes may be waiting for. */
export interface Fence {
  write(): string | undefined;
  connect(): string | undefined;
}

export interface TransportOptions {
  config: Config;
  userAgent: string;
  observer?: RequestObserver;
  clock?: Clock;
  env?: NodeJS.ProcessEnv;
}

/** The part of a transport that reading needs. */
export type Reader = Pick<Transport, "json" | "stream">;

/** One API server over HTTP: connections, credentials, deadlines, retries. Knows nothing of objects. */
export class Transport {
  readonly host: string;
  private readonly prefix: string;
  private readonly pools: Record<PoolName, ConnectionPool>;
  private readonly limiter: Limiter;
  private readonly clock: Clock;
  private readonly closed = new AbortController();
  private fences: Fence = { write: () => undefined, connect: () => undefined };

  constructor(private readonly options: TransportOptions) {
    const { config, clock = systemClock, env = process.env } = options;
    const url = new URL(config.server);
    this.host = url.host;
    this.prefix = url.pathname.replace(/\/+$/, "");
    this.clock = clock;
    this.limiter = new Limiter(requestsInFlight, clock);
    const proxy = proxyFor(config.server, env, config.proxyUrl);
    const count = () => options.observer?.connect(this.host);
    const free = connector(config, proxy, () => undefined, count);
    const fenced = connector(config, proxy, () => this.admit("connect"), count);
    this.pools = {
      requests: new ConnectionPool(url.origin, fenced, 4 * requestsInFlight, 60_000, (method) => {
        if (method !== "GET") this.admit("write");
      }),
      watch: new ConnectionPool(url.origin, free, null, 1_000),
      lease: new ConnectionPool(url.origin, free, 2, 60_000),
    };
  }

  /** From now on writes are sent only while the fence gives no reason against them. */
  fence(fence: Fence): void {
    this.fences = fence;
  }

  /** The parsed JSON answer. Rejects with ApiError, TransportError, FencedError or the signal's reason. */
  async json(call: Call): Promise<unknown> {
    const answer = await this.retrying(call);
    if (answer.status >= 400) throw apiErrorOf(answer.status, answer.headers, answer.text);
    if (answer.text === "") return undefined;
    return call.managedFields ? JSON.parse(answer.text) : parseLean(answer.text);
  }

  /** The body of a long answer in pieces. `signal` ends it; the caller watches for silence. */
  async stream(path: string, signal: AbortSignal, headersTimeoutMs: number): Promise<AsyncIterable<Buffer>> {
    const call: Call = { method: "GET", path, signal, timeoutMs: headersTimeoutMs, pool: "watch" };
    const open = async (refresh: boolean) =>
      this.deadline(call, async (inner) => {
        const options = { ...(await this.prepare(call, refresh, inner)), signal: AbortSignal.any([signal, inner]) };
        const response = await this.timed(call, () => this.pools.watch.current.request(options));
        if (response.statusCode < 400) return { response };
        return { response, text: await response.body.text() };
      });
    let { response, text } = await open(false);
    if (response.statusCode === 401) ({ response, text } = await open(true));
    if (text !== undefined) throw apiErrorOf(response.statusCode, response.headers, text);
    return response.body as AsyncIterable<Buffer>;
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

  private admit(what: keyof Fence): void {
    const reason = this.fences[what]();
    if (reason !== undefined) throw new FencedError(reason);
  }

  private async retrying(call: Call): Promise<Answer> {
    const pool = call.pool ?? "requests";
    let refresh = false;
    let reset = false;
    let waitedMs = 0;
    for (let attempt = 0; ; attempt++) {
      let answer: Answer;
      try {
        answer = await this.once(call, pool, refresh);
      } catch (error) {
        // A kept-alive connection that the server has just closed. A create may have arrived; all else may be sent twice.
        const code = error instanceof TransportError ? error.code : "";
        if (reset || call.method === "POST" || !["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(code)) throw error;
        reset = true;
        continue;
      }
      if (answer.status === 401 && !refresh) {
        refresh = true;
        this.pools[pool].rotate();
      } else {
        const waitMs = retryWaitMs(answer);
        if (waitMs === undefined || attempt >= maxRetries || waitedMs + waitMs > (call.retryWaitMs ?? maxRetryWaitMs))
          return answer;
        waitedMs += waitMs;
        await sleep(this.clock, waitMs, call.signal);
        call.signal?.throwIfAborted();
      }
      this.options.observer?.retry(call.method, this.host, String(answer.status));
    }
  }

  private async once(call: Call, pool: PoolName, refresh: boolean): Promise<Answer> {
    const leave = pool === "requests" ? await this.limiter.enter() : () => undefined;
    try {
      if (pool !== "lease" && call.method !== "GET") this.admit("write");
      return await this.deadline(call, async (signal) => {
        const options = await this.prepare(call, refresh, signal);
        const answer = await this.timed(call, () => collect(this.pools[pool].current, options, signal));
        this.options.observer?.sizes(call.method, this.host, Buffer.byteLength(call.body ?? ""), answer.bytes);
        return answer;
      });
    } finally {
      // A moment later its connection is free again; the next request would open another now.
      setImmediate(leave);
    }
  }

  private async prepare(call: Call, refresh: boolean, signal: AbortSignal): Promise<Dispatcher.RequestOptions> {
    const { config, userAgent } = this.options;
    const authorization = await config.authorization(refresh);
    signal.throwIfAborted();
    const headers: Record<string, string> = { accept: "application/json", "user-agent": userAgent };
    if (authorization) headers.authorization = authorization;
    if (call.body !== undefined) headers["content-type"] = call.contentType ?? "application/json";
    return { method: call.method, path: this.prefix + call.path, headers, body: call.body };
  }

  /** Tells the observer how the request ends. */
  private async timed<T extends { status: number } | { statusCode: number }>(
    call: Call,
    send: () => Promise<T>,
  ): Promise<T> {
    const { observer } = this.options;
    const started = performance.now();
    const seconds = () => (performance.now() - started) / 1000;
    try {
      const answer = await send();
      const code = "status" in answer ? answer.status : answer.statusCode;
      observer?.request(call.method, this.host, String(code), seconds());
      return answer;
    } catch (error) {
      observer?.request(call.method, this.host, "<error>", seconds());
      throw error;
    }
  }

  /** Runs one try under its own clock, the caller's signal and the life of the transport. */
  private async deadline<T>(call: Call, run: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    const what = `${call.method} ${this.host}${call.path.split("?", 1)[0]}`;
    const outer = [call.signal, this.closed.signal].filter((s) => s !== undefined);
    const follow = () => controller.abort(outer.find((s) => s.aborted)?.reason);
    const timer = this.clock.setTimeout(() => {
      controller.abort(new TransportError("TIMEOUT", `${what}: no answer within ${call.timeoutMs / 1000} s`));
      this.pools[call.pool ?? "requests"].rotate();
    }, call.timeoutMs);
    for (const signal of outer) signal.addEventListener("abort", follow, { once: true });
    try {
      if (outer.some((s) => s.aborted)) follow();
      controller.signal.throwIfAborted();
      // A request that waits for a connection hears of the end only when it gets one; then it is not sent any more.
      const ended = new Promise<never>((_, reject) => {
        controller.signal.addEventListener("abort", () => reject(controller.signal.reason as Error), { once: true });
      });
      return await Promise.race([run(controller.signal), ended]);
    } catch (error) {
      if (controller.signal.aborted) throw controller.signal.reason;
      if (error instanceof FencedError) throw error;
      throw transportErrorOf(error, what);
    } finally {
      timer.cancel();
      for (const signal of outer) signal.removeEventListener("abort", follow);
    }
  }
}

/** How long the server wants us to wait before trying again, if it wants us to. */
function retryWaitMs({ status, headers }: Answer): number | undefined {
  const seconds = retryAfterSeconds(headers);
  if (status === 429) return (seconds ?? 1) * 1000;
  return status >= 500 && seconds !== undefined ? seconds * 1000 : undefined;
}
