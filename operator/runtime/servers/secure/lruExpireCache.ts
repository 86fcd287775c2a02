import type { Clock } from "../../clock";
import { systemClock } from "../../clock";

export interface LruExpireCacheOptions<T> {
  /** Milliseconds that an answer holds. */
  ttlMs(answer: T): number;
  /** Answers kept; beyond it the one unused for longest goes. */
  limit: number;
  clock?: Clock;
}

/**
 * Remembers answers for a while, as apimachinery's LRUExpireCache; who asks for one that is under way waits for that one. Failures are not
 * remembered.
 */
export class LruExpireCache<T> {
  private readonly known = new Map<string, { answer: T; until: number }>();
  private readonly pending = new Map<string, Promise<T>>();
  private readonly clock: Clock;

  constructor(private readonly options: LruExpireCacheOptions<T>) {
    this.clock = options.clock ?? systemClock;
  }

  async get(key: string, ask: () => Promise<T>): Promise<T> {
    const found = this.known.get(key);
    this.known.delete(key);
    if (found && this.clock.now() < found.until) {
      // A Map keeps the order of insertion: the first is the one unused for longest.
      this.known.set(key, found);
      return found.answer;
    }
    let asking = this.pending.get(key);
    if (!asking) {
      asking = this.ask(key, ask).finally(() => this.pending.delete(key));
      this.pending.set(key, asking);
    }
    return asking;
  }

  private async ask(key: string, ask: () => Promise<T>): Promise<T> {
    const answer = await ask();
    this.known.set(key, { answer, until: this.clock.now() + this.options.ttlMs(answer) });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= this.options.limit) break;
      this.known.delete(oldest);
    }
    return answer;
  }
}
