/**
 * An HTTPS proxy in front of a real API server that does to requests, watches and connections what networks do: pauses, cuts, black holes,
 * late events, answers of its own, lost bookmarks, watches that end. Counts requests and TLS handshakes.
 */
import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Agent, createServer, request as httpsRequest } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import type { Config } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";

export interface Seen {
  method: string;
  path: string;
  watch: boolean;
  at: number;
}

/** What to do with a request instead of passing it on. */
export type Fault =
  { status: number; body?: string; headers?: Record<string, string> } | "hang" | "reset" | "closeAtOnce" | "pass";

export class FaultProxy {
  readonly seen: Seen[] = [];
  /** How many requests were under way together at the most, watches aside. */
  mostAtOnce = 0;
  private atOnce = 0;
  handshakes = 0;
  /** Asked for every request. */
  fault: (request: Seen) => Fault = () => "pass";
  /** Awaited before a request is passed on. */
  beforeForward: (request: Seen) => Promise<void> | undefined = () => undefined;
  /** Holds every watch event back for so long. */
  eventDelayMs = 0;
  stripBookmarks = false;
  /** While true no connection is accepted into TLS: the server cannot be reached. */
  unreachable = false;
  readonly sockets = new Set<Socket>();
  private readonly dead = new WeakSet<Socket>();
  private readonly watches = new Set<ServerResponse>();
  /** While paused: what is to be carried on, in order. */
  private held: (() => void)[] | undefined;
  private readonly agent: Agent;
  private readonly server;
  private readonly ca: string;

  private constructor(private readonly target: ControlPlane) {
    const read = (name: string) => readFileSync(join(target.pki, name), "utf8");
    this.ca = read("ca.crt");
    this.agent = new Agent({ keepAlive: true, ca: this.ca, cert: read("admin.crt"), key: read("admin.key") });
    const tls = { cert: read("apiserver.crt"), key: read("apiserver.key") };
    this.server = createServer(tls, (request, response) => this.handle(request, response));
    this.server.on("secureConnection", (socket: Socket) => {
      if (this.unreachable) return socket.destroy();
      this.handshakes++;
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket)).on("error", () => socket.destroy());
    });
  }

  static async start(target: ControlPlane): Promise<FaultProxy> {
    const proxy = new FaultProxy(target);
    await new Promise<void>((resolve) => proxy.server.listen(0, "127.0.0.1", resolve));
    return proxy;
  }

  /** Reaches the API server through this proxy as an administrator. */
  get config(): Config {
    return {
      server: `https://127.0.0.1:${(this.server.address() as AddressInfo).port}`,
      tls: () => Promise.resolve({ ca: this.ca }),
      authorization: () => Promise.resolve(undefined),
    };
  }

  count(matches: (seen: Seen) => boolean): number {
    return this.seen.filter(matches).length;
  }

  /** Breaks every connection. */
  cut(): void {
    for (const socket of this.sockets) socket.destroy();
  }

  /** Watches that the server has taken on. */
  get openWatches(): number {
    return this.watches.size;
  }

  /** Ends every watch as the server would at its timeout: the answer is complete, the connection lives on. */
  closeWatches(): void {
    for (const response of this.watches) response.end();
  }

  /** Carries nothing, either way, until `resume`; then everything, in order. */
  pause(): void {
    this.held ??= [];
  }

  resume(): void {
    const held = this.held ?? [];
    this.held = undefined;
    for (const carry of held) carry();
  }

  /** Leaves connections open but carries nothing over them any more, either way; new ones work. */
  blackHole(): void {
    for (const socket of this.sockets) this.dead.add(socket);
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    this.agent.destroy();
    await closed;
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? "/";
    const seen = {
      method: request.method ?? "GET",
      path,
      watch: /[?&]watch=(1|true)/.test(path),
      at: performance.now(),
    };
    this.seen.push(seen);
    if (!seen.watch) {
      this.mostAtOnce = Math.max(this.mostAtOnce, ++this.atOnce);
      response.once("close", () => this.atOnce--);
    }
    if (this.dead.has(request.socket)) return;
    const fault = this.fault(seen);
    if (fault === "hang") return;
    if (fault === "reset") return void request.socket.destroy();
    if (fault === "closeAtOnce") return void response.writeHead(200, { "content-type": "application/json" }).end();
    if (fault !== "pass") {
      response.writeHead(fault.status, { "content-type": "application/json", ...fault.headers }).end(fault.body ?? "");
      return;
    }
    const held = this.beforeForward(seen);
    const forward = () => this.carry(() => this.forward(request, response, seen));
    if (held) void held.then(forward);
    else forward();
  }

  private carry(what: () => void): void {
    if (this.held) this.held.push(what);
    else what();
  }

  private forward(request: IncomingMessage, response: ServerResponse, seen: Seen): void {
    const url = new URL(this.target.url);
    const upstream = httpsRequest(
      {
        host: url.hostname,
        port: url.port,
        method: seen.method,
        path: seen.path,
        headers: request.headers,
        agent: this.agent,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        response.flushHeaders();
        const alive = (what: () => void) => this.carry(() => !this.dead.has(request.socket) && what());
        const write = (data: Buffer | string) => alive(() => !response.writableEnded && response.write(data));
        if (seen.watch) {
          this.watches.add(response);
          const event = lineWise((line) => this.event(line, write));
          answer.on("data", event);
        } else answer.on("data", write);
        answer.on("end", () => alive(() => response.end()));
        answer.on("error", () => request.socket.destroy());
      },
    );
    upstream.on("error", () => request.socket.destroy());
    response.on("close", () => {
      this.watches.delete(response);
      upstream.destroy();
    });
    request.pipe(upstream);
  }

  private event(line: string, write: (data: string) => void): void {
    if (this.stripBookmarks && line.includes('"type":"BOOKMARK"')) return;
    if (this.eventDelayMs > 0) setTimeout(() => write(`${line}\n`), this.eventDelayMs);
    else write(`${line}\n`);
  }
}

function lineWise(onLine: (line: string) => void): (chunk: Buffer) => void {
  let rest = "";
  return (chunk) => {
    const lines = (rest + chunk.toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(onLine);
  };
}
