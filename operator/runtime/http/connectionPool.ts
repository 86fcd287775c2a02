import { Pool } from "undici";
import type { Dispatcher, buildConnector } from "undici";

const rotateAtMostEveryMs = 10_000;

/**
 * A pool of connections that can be replaced: after a black hole or a rotated client certificate new requests go over new
 * connections, while those under way finish on the old ones.
 */
export class ConnectionPool {
  private pool: Pool;
  private rotatedAt = -Infinity;

  constructor(
    private readonly origin: string,
    private readonly options: {
      connect: buildConnector.connector;
      connections: number | null;
      keepAliveTimeout: number;
    },
  ) {
    this.pool = this.open();
  }

  get current(): Dispatcher {
    return this.pool;
  }

  rotate(): void {
    if (performance.now() - this.rotatedAt < rotateAtMostEveryMs) return;
    this.rotatedAt = performance.now();
    const old = this.pool;
    this.pool = this.open();
    old.close().catch(() => undefined);
  }

  /** Drops every connection, with what is under way. */
  async destroy(): Promise<void> {
    await this.pool.destroy();
  }

  private open(): Pool {
    // Deadlines are ours, one timer a call: undici's own would keep a clock ticking while idle.
    return new Pool(this.origin, { ...this.options, pipelining: 1, headersTimeout: 0, bodyTimeout: 0, allowH2: false });
  }
}
