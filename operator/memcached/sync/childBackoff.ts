const firstMs = 1_000;
const capMs = 60_000;

interface Hold<T> {
  /** What was refused: another body or another live object deserves a try at once. */
  what: string;
  why: T;
  failures: number;
  until: number;
}

/**
 * Keeps what was refused from being sent again and again: after each refusal the same request is held for 1 s, doubling up to 60 s,
 * with a quarter of jitter, so that many resources do not come back together.
 */
export class ChildBackoff<T> {
  private readonly holds = new Map<string, Hold<T>>();

  constructor(
    private readonly clock: () => number = () => performance.now(),
    private readonly random: () => number = Math.random,
  ) {}

  /** Why `what` is not to be sent now, and for how long. */
  held(key: string, what: string): { why: T; forMs: number } | undefined {
    const hold = this.holds.get(key);
    const forMs = hold?.what === what ? hold.until - this.clock() : 0;
    return hold && forMs > 0 ? { why: hold.why, forMs } : undefined;
  }

  /** Notes a refusal; gives how long the next try has to wait. */
  hold(key: string, what: string, why: T): number {
    const failures = (this.holds.get(key)?.failures ?? 0) + 1;
    const forMs = Math.min(capMs, firstMs * 2 ** (failures - 1)) * (1 - this.random() / 4);
    this.holds.set(key, { what, why, failures, until: this.clock() + forMs });
    return forMs;
  }

  /** Whether anything was refused last. */
  knows(key: string): boolean {
    return this.holds.has(key);
  }

  release(key: string): void {
    this.holds.delete(key);
  }
}
