import { Pool } from "undici";
import type { buildConnector } from "undici";

const rotateAtMostEveryMs = 10_000;

/**
 * A pool of connections that can be replaced: after a black hole or a rotated client certificate new requests go over new
 * connections, while those under way finish on the old ones.
 */
export class Lane {
  private pool: Pool;
  private rotatedAt = -Infinity;

  constructor(
    private readonly origin: string,
    private readonly connect: buildConnector.connector,
    private readonly connections: number | null,
    private readonly keepAliveMs: number,
  ) {
    this.pool = this.open();
  }

  get current(): Pool {
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
