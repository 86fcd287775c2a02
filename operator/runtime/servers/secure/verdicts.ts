import type { Clock } from "../../clock";
import { systemClock } from "../../clock";

export interface VerdictsOptions<T> {
  /** Milliseconds that a verdict holds. */
  ttlMs(verdict: T): number;
  /** Verdicts kept; beyond it the one unused for longest goes. */
  limit: number;
  clock?: Clock;
}

/** Remembers verdicts for a while; who asks for one that is under way waits for that one. Failures are not remembered. */
export class Verdicts<T> {
  private readonly known = new Map<string, { verdict: T; until: number }>();
  private readonly pending = new Map<string, Promise<T>>();
  private readonly clock: Clock;

  constructor(private readonly options: VerdictsOptions<T>) {
    this.clock = options.clock ?? systemClock;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const found = this.known.get(key);
    this.known.delete(key);
    if (found && this.clock.now() < found.until) {
      // A Map keeps the order of insertion: the first is the one unused for longest.
      this.known.set(key, found);
      return found.verdict;
    }
    let asking = this.pending.get(key);
    if (!asking) {
      asking = this.ask(key, ask).finally(() => this.pending.delete(key));
      this.pending.set(key, asking);
    }
    return asking;
  }

  private async ask(key: string, ask: () => Promise<T>): Promise<T> {
    const verdict = await ask();
    this.known.set(key, { verdict, until: this.clock.now() + this.options.ttlMs(verdict) });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.options.limit) break;
      this.known.delete(oldest);
    }
    return verdict;
  }
}
