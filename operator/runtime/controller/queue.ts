import { delayAfter } from "../backoff";
import type { Clock, Timer } from "../clock";
import { systemClock } from "../clock";

/** Fresh changes are "high"; first lists, resyncs and what keeps failing are "low". */
export type Priority = "high" | "low";

/** What a queue counts, in milliseconds; see metrics/controllerMetrics.ts. */
export interface QueueObserver {
  added(): void;
  retried(): void;
  started(waitedMs: number): void;
  finished(workedMs: number): void;
}

export interface QueueOptions {
  clock?: Clock;
  random?: () => number;
  observer?: QueueObserver;
  /** Called when there may be something to take. */
  onReady?: () => void;
}

interface Item {
  key: string;
  priority: Priority;
  /** Waiting, in the hands of a worker, or both (changed again meanwhile). */
  queued: boolean;
  processing: boolean;
  queuedAt: number;
  startedAt: number;
  failures: number;
  delayed?: { timer: Timer; dueAt: number };
}

/** From client-go's DefaultControllerRateLimiter, but its cap of 1000 s is too long for people who have removed the cause. */
const backoff = { minMs: 5, maxMs: 60_000, jitter: 0.2 };
/** A low item that has waited this long gets every fourth turn. */
const agedMs = 1_000;
const agedTurn = 4;
/** From this many failures on a key no longer goes before the others. */
const demotedAfter = 3;

/**
 * Keys waiting for a pass: each at most once, never in two hands at a time; one that changes while it is worked on comes
 * back once afterwards. After client-go's workqueue and controller-runtime's priority queue.
 */
export class WorkQueue {
  private readonly items = new Map<string, Item>();
  /** Those that may be taken now, in order. */
  private readonly waiting: Record<Priority, Set<Item>> = { high: new Set(), low: new Set() };
  private readonly clock: Clock;
  private turns = 0;
  private stopped = false;

  constructor(private readonly options: QueueOptions = {}) {
    this.clock = options.clock ?? systemClock;
  }

  /** Keys that wait, not counting delayed ones. */
  depth(priority?: Priority): number {
    const { high, low } = this.waiting;
    return priority ? this.waiting[priority].size : high.size + low.size;
  }

  isProcessing(key: string): boolean {
    return this.items.get(key)?.processing ?? false;
  }

  /** How long each pass under way has lasted, in milliseconds. */
  workingMs(): number[] {
    const now = this.clock.now();
    const working = Array.from(this.items.values()).filter((item) => item.processing);
    return working.map((item) => now - item.startedAt);
  }

  /** Queues a key; a second time only raises its priority. */
  add(key: string, priority: Priority = "high"): void {
    if (this.stopped) return;
    const item = this.item(key, priority);
    this.undelay(item);
    this.enqueue(item, priority);
  }

  /** Queues a key after `delayMs`; the earlier of two times counts. */
  addAfter(key: string, delayMs: number, priority: Priority = "high"): void {
    if (delayMs <= 0) return this.add(key, priority);
    if (this.stopped) return;
    const item = this.item(key, priority);
    const dueAt = this.clock.now() + delayMs;
    if (item.queued || (item.delayed && item.delayed.dueAt <= dueAt)) return;
    this.undelay(item);
    const timer = this.clock.setTimeout(() => {
      item.delayed = undefined;
      this.enqueue(item, priority);
    }, delayMs);
    item.delayed = { timer, dueAt };
  }

  /** Queues a key after its own backoff, which doubles with each failure from 5 ms to 60 s. Returns the delay. */
  addRateLimited(key: string): number {
    const item = this.item(key, "high");
    const delayMs = delayAfter(item.failures++, { ...backoff, random: this.options.random });
    this.options.observer?.retried();
    this.addAfter(key, delayMs, item.failures >= demotedAfter ? "low" : item.priority);
    return delayMs;
  }

  /** Ends the backoff of these keys where they have failed, behind the others: what they failed of may be over. Their record stays. */
  retryFailed(which: (key: string) => boolean = () => true): void {
    for (const item of this.items.values()) {
      if (!item.delayed || item.failures === 0 || !which(item.key)) continue;
      this.undelay(item);
      this.enqueue(item, "low");
    }
  }

  /** The key's next failure starts from the shortest delay again. */
  forget(key: string): void {
    const item = this.items.get(key);
    if (!item) return;
    item.failures = 0;
    this.release(item);
  }

  /** The next key to work on, or undefined when none waits: client-go's Get without its blocking. `done` must follow. */
  take(): string | undefined {
    const waiting = this.waiting[this.nextPriority()];
    const [item] = waiting;
    if (!item) return undefined;
    waiting.delete(item);
    item.queued = false;
    item.processing = true;
    item.startedAt = this.clock.now();
    this.options.observer?.started(item.startedAt - item.queuedAt);
    return item.key;
  }

  /** Ends the work on a key; if it was added meanwhile it becomes available now. */
  done(key: string): void {
    const item = this.items.get(key);
    if (!item?.processing) return;
    item.processing = false;
    this.options.observer?.finished(this.clock.now() - item.startedAt);
    if (item.queued) this.push(item);
    else this.release(item);
  }

  /** Drops what waits and takes nothing more; work under way goes on. */
  stop(): void {
    this.stopped = true;
    for (const item of this.items.values()) {
      this.undelay(item);
      item.queued = false;
    }
    this.waiting.high.clear();
    this.waiting.low.clear();
  }

  private item(key: string, priority: Priority): Item {
    let item = this.items.get(key);
    if (!item) {
      item = { key, priority, queued: false, processing: false, queuedAt: 0, startedAt: 0, failures: 0 };
      this.items.set(key, item);
    }
    return item;
  }

  private enqueue(item: Item, priority: Priority): void {
    if (this.stopped) return;
    if (item.queued) {
      if (priority === "low" || item.priority === "high") return;
      this.waiting.low.delete(item);
    } else {
      item.queued = true;
      item.queuedAt = this.clock.now();
      this.options.observer?.added();
    }
    item.priority = priority;
    if (!item.processing) this.push(item);
  }

  private push(item: Item): void {
    this.waiting[item.priority].add(item);
    this.options.onReady?.();
  }

  private nextPriority(): Priority {
    const { high, low } = this.waiting;
    const [oldestLow] = low;
    if (high.size === 0) return "low";
    if (!oldestLow || this.clock.now() - oldestLow.queuedAt < agedMs) return "high";
    return ++this.turns % agedTurn === 0 ? "low" : "high";
  }

  private undelay(item: Item): void {
    item.delayed?.timer.cancel();
    item.delayed = undefined;
  }

  /** Keeps no memory of a key that is idle and healthy. */
  private release(item: Item): void {
    if (!item.queued && !item.processing && !item.delayed && item.failures === 0) this.items.delete(item.key);
  }
}
