import { Pool } from "undici";
import type { Dispatcher, buildConnector } from "undici";
import { beforeSend } from "./beforeSend";

const rotateAtMostEveryMs = 10_000;

/**
 * A pool of connections that can be replaced: after a black hole or a rotated client certificate new requests go over new
 * connections, while those under way finish on the old ones.
 */
export class ConnectionPool {
  private pool: Pool;
  private dispatcher: Dispatcher;
  private rotatedAt = -Infinity;

  constructor(
    private readonly origin: string,
    private readonly connect: buildConnector.connector,
    private readonly connections: number | null,
    private readonly keepAliveMs: number,
    /** May throw when a request of that method is about to be written: it then fails unsent. */
    private readonly check?: (method: string) => void,
  ) {
    this.pool = this.open();
    this.dispatcher = this.checked();
  }

  get current(): Dispatcher {
    return this.dispatcher;
  }

  rotate(): void {
    if (performance.now() - this.rotatedAt < rotateAtMostEveryMs) return;
    this.rotatedAt = performance.now();
    const old = this.pool;
    this.pool = this.open();
    this.dispatcher = this.checked();
    old.close().catch(() => undefined);
  }

  /** Drops every connection, with what is under way. */
  async destroy(): Promise<void> {
    await this.pool.destroy();
  }

  private checked(): Dispatcher {
    return this.check ? this.pool.compose(beforeSend(this.check)) : this.pool;
  }

  private open(): Pool {
    return new Pool(this.origin, {
      connect: this.connect,
      connections: this.connections,
      pipelining: 1,
      keepAliveTimeout: this.keepAliveMs,
      // Deadlines are ours, one timer a call: undici's own would keep a clock ticking while idle.
      headersTimeout: 0,
      bodyTimeout: 0,
      allowH2: false,
    });
  }
}
