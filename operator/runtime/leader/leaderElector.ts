import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import type { Clock } from "../clock";
import { sleep, systemClock } from "../clock";
import { LeaderLostError, isApiError } from "../errors";
import type { Client } from "../http/client";
import type { Logger } from "../types";
import { Outage } from "../outage";
import type { Lease } from "./lease";
import { claim, leaseType, putLease, released } from "./lease";

/** How long a release waits for a claim or renewal that is under way. */
const farewellMs = 1_000;

/** What an elector counts; see metrics/leaderMetrics.ts. */
export interface LeaderObserver {
  leading(isLeader: boolean): void;
  slowPath(): void;
}

export interface LeaderElectionOptions {
  /** Name of the Lease. */
  id: string;
  namespace: string;
  /** Default: host name and a random suffix. */
  identity?: string;
  /** Milliseconds; defaults 15000, 10000, 2000. */
  leaseDurationMs?: number;
  renewDeadlineMs?: number;
  retryPeriodMs?: number;
}

export interface LeaderElectorOptions extends LeaderElectionOptions {
  /** Should have connections of its own, so that renewals never wait behind other requests. */
  client: Client;
  log: Logger;
  clock?: Clock;
  observer?: LeaderObserver;
  random?: () => number;
}

/**
 * client-go's LeaderElector (tools/leaderelection) on a Lease. Another's lease counts as expired once it has not changed for its duration on our own
 * monotonic clock, so skewed clocks do no harm. Being leader is certain only for `renewDeadline` after the last renewal was sent.
 */
export class LeaderElector {
  readonly identity: string;
  readonly durationMs: number;
  readonly deadlineMs: number;
  readonly retryMs: number;
  private readonly clock: Clock;
  private readonly outage: Outage;
  private seen: Lease | undefined;
  private seenAt = -Infinity;
  private renewedAt: number | undefined;
  private attempt: Promise<unknown> = Promise.resolve();
  private leaving = false;

  constructor(private readonly options: LeaderElectorOptions) {
    this.identity = options.identity ?? `${hostname()}_${randomUUID()}`;
    this.durationMs = options.leaseDurationMs ?? 15_000;
    this.deadlineMs = options.renewDeadlineMs ?? 10_000;
    this.retryMs = options.retryPeriodMs ?? 2_000;
    if (!(this.durationMs > this.deadlineMs && this.deadlineMs > this.retryMs * 1.2)) {
      throw new Error("leader election: leaseDuration must exceed renewDeadline, and that 1.2 times retryPeriod");
    }
    this.clock = options.clock ?? systemClock;
    this.outage = new Outage(options.log, `The lease ${options.namespace}/${options.id}`);
  }

  /** Why the lease cannot be read or written at the moment. */
  get reason(): string | undefined {
    return this.outage.reason;
  }

  /** The Lease as last seen. */
  get lease(): Lease | undefined {
    return this.seen;
  }

  get isLeader(): boolean {
    return this.renewedAt !== undefined && this.clock.now() - this.renewedAt < this.deadlineMs;
  }

  /** Why nothing may be written now; undefined while leadership is certain. */
  writeBarrier(): string | undefined {
    if (this.isLeader) return undefined;
    return this.renewedAt === undefined
      ? "this replica is not the leader"
      : `the lease was not renewed within ${this.deadlineMs / 1000} s: another replica may lead by now`;
  }

  /** As `writeBarrier`, but only once leadership was held and has run out. */
  expired(): string | undefined {
    return this.renewedAt === undefined ? undefined : this.writeBarrier();
  }

  /** Tries until this replica is the leader. Rejects only when `signal` aborts. */
  async acquire(signal: AbortSignal): Promise<void> {
    const { log, random = Math.random } = this.options;
    while (!(await this.tryAcquireOrRenew())) {
      await sleep(this.clock, this.retryMs * (1 + 0.2 * random()), signal);
      signal.throwIfAborted();
    }
    log.info({ identity: this.identity, lease: this.options.id }, "Became leader");
    this.options.observer?.leading(true);
  }

  /** Renews until `signal` aborts and then resolves, still holding the lease. Rejects with LeaderLostError. */
  async renew(signal: AbortSignal): Promise<void> {
    try {
      while (!signal.aborted) {
        await sleep(this.clock, this.retryMs, signal);
        if (signal.aborted) return;
        const barrier = this.writeBarrier();
        if (barrier) throw new LeaderLostError(barrier);
        if (await this.tryAcquireOrRenew()) continue;
        const holder = this.seen?.spec.holderIdentity;
        if (holder !== undefined && holder !== this.identity) {
          throw new LeaderLostError(`the lease was taken by "${holder}"`);
        }
      }
    } catch (error) {
      this.renewedAt = -Infinity;
      this.options.observer?.leading(false);
      throw error;
    }
  }

  /**
   * Leaves the lease to whoever comes next, and never tries for it again. Never rejects: the lease runs out by itself. A claim or renewal
   * under way is waited for: it would make the release a conflict, or take the lease back.
   */
  async release(): Promise<void> {
    this.leaving = true;
    const over = new AbortController();
    await Promise.race([this.attempt, sleep(this.clock, farewellMs, over.signal)]);
    over.abort();
    if (!this.isLeader || !this.seen) return;
    const { client, log, observer } = this.options;
    const { seen } = this;
    this.renewedAt = -Infinity;
    observer?.leading(false);
    try {
      await putLease(client, seen, released(seen.spec), this.timeoutMs);
      log.info({ lease: this.options.id }, "Released the lease");
    } catch (error) {
      log.warn({ err: error }, "Could not release the lease, it will run out");
    }
  }

  private tryAcquireOrRenew(): Promise<boolean> {
    const attempt = this.leaving ? Promise.resolve(false) : this.try();
    this.attempt = attempt;
    return attempt;
  }

  private async try(): Promise<boolean> {
    try {
      if (this.isLeader && this.seen) {
        try {
          return await this.claim(this.seen);
        } catch {
          this.options.observer?.slowPath();
        }
      }
      const current = await this.read();
      if (current) this.look(current);
      if (current && this.heldByOther(current)) {
        this.outage.recovered();
        return false;
      }
      return !this.leaving && (await this.claim(current));
    } catch (error) {
      // Losing a race for the lease is how elections go.
      if (!isApiError(error, 409)) this.outage.failed(error instanceof Error ? error.message : String(error));
      return false;
    }
  }

  /** Claims the lease as it was last seen, or makes it. */
  private async claim(seen: Lease | undefined): Promise<true> {
    const { client, id, namespace } = this.options;
    const { timeoutMs } = this;
    const sentAt = this.clock.now();
    const spec = claim(seen?.spec, this.identity, this.durationMs);
    const made = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", metadata: { name: id, namespace }, spec };
    this.look(
      seen ? await putLease(client, seen, spec, timeoutMs) : await client.create<Lease>(leaseType, made, { timeoutMs }),
    );
    this.renewedAt = sentAt;
    this.outage.recovered();
    return true;
  }

  private get timeoutMs(): number {
    return Math.max(1_000, this.deadlineMs / 2);
  }

  private async read(): Promise<Lease | undefined> {
    const { client, id, namespace } = this.options;
    try {
      return await client.get<Lease>(leaseType, { namespace, name: id }, { timeoutMs: this.timeoutMs });
    } catch (error) {
      if (isApiError(error, 404)) return undefined;
      throw error;
    }
  }

  private look(lease: Lease): void {
    if (lease.metadata.resourceVersion !== this.seen?.metadata.resourceVersion) this.seenAt = this.clock.now();
    this.seen = lease;
  }

  private heldByOther({ spec }: Lease): boolean {
    if (!spec.holderIdentity || spec.holderIdentity === this.identity) return false;
    return this.clock.now() - this.seenAt < (spec.leaseDurationSeconds ?? 0) * 1000;
  }
}
