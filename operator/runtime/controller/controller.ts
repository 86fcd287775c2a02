import type { Store } from "../cache/store";
import type { Clock, Timer } from "../clock";
import { systemClock } from "../clock";
import { FencedError, isApiError } from "../errors";
import { keyFromText, keyOf, keyText } from "../object";
import type { ControllerMetrics } from "../metrics/controllerMetrics";
import type { Key, KubeObject, Logger, StoreEvent } from "../types";
import { HeldEvents } from "./heldEvents";
import { changedByOthers } from "./ownWrites";
import type { Priority } from "./queue";
import { WorkQueue } from "./queue";
import { WaitingKeys, isIn } from "./waitingKeys";

export interface ReconcileContext {
  /** Aborts when the process must let go: drain over time, or leadership lost. */
  signal: AbortSignal;
  log: Logger;
}

/**
 * One pass over one key. Resolving forgets the key's failures; `requeueAfterMs` asks for another pass; rejecting retries
 * with backoff (5 ms doubling to 60 s).
 */
export type Reconcile = (key: Key, context: ReconcileContext) => Promise<{ requeueAfterMs?: number } | void>;

export interface ControllerWatch<T extends KubeObject = KubeObject> {
  store: Store<T>;
  /** Which primaries a change concerns. `old` is the state before an update, so that a lost owner is told too. */
  map(object: T, old?: T): Key[];
}

export interface ControllerOptions {
  name: string;
  primary: Store;
  watches?: ControllerWatch[];
  reconcile: Reconcile;
}

/** A pass that has been waiting this long lends its place to another, up to `maxStretch` times the workers. */
const stalledMs = 2_000;
const maxStretch = 4;
/** controller-runtime's SyncPeriod. */
const resyncMs = 10 * 3_600_000;

interface Dependencies {
  log: Logger;
  metrics: ControllerMetrics;
  /** Passes at a time. One that has waited for 2 s lends its place to another. */
  workers: number;
  clock?: Clock;
}

/**
 * Turns changes in stores into passes over primaries. A failing pass harms only its own key. Events are taken in from the moment it is made,
 * so a standby's queue is warm; passes run between `start` and `stop`, in each namespace once all stores have listed it.
 */
export class Controller {
  readonly name: string;
  private readonly queue: WorkQueue;
  private readonly clock: Clock;
  private readonly log: Logger;
  private readonly held = new HeldEvents();
  private readonly waiting: WaitingKeys;
  private readonly running = new Set<Promise<void>>();
  private readonly aborter = new AbortController();
  private active = 0;
  private started = false;
  private pumping = false;
  private resyncTimer: Timer | undefined;

  constructor(
    private readonly options: ControllerOptions,
    private readonly dependencies: Dependencies,
  ) {
    const { name, primary, watches = [] } = options;
    this.name = name;
    this.clock = dependencies.clock ?? systemClock;
    this.log = dependencies.log.child({ controller: name });
    const { metrics } = dependencies;
    this.queue = new WorkQueue({ clock: this.clock, observer: metrics.queue, onReady: () => this.pump() });
    metrics.watch(this.queue, () => this.active, dependencies.workers);
    primary.subscribe((event) => {
      // A new object of that name starts with a clean record.
      if (event.type === "deleted") this.queue.forget(keyText(keyOf(event.object)));
      this.enqueue([keyOf(event.object)], event);
    });
    for (const { store, map } of watches) {
      store.subscribe((event) => this.enqueue(map(event.object, event.old), event));
    }
    const stores = [primary, ...watches.map(({ store }) => store)];
    this.waiting = new WaitingKeys(primary, stores, (text, priority) => this.queue.add(text, priority));
  }

  start(): void {
    this.started = true;
    this.pump();
    this.resync();
  }

  /** Takes nothing more; resolves when the passes under way have ended. `abort` ends them early. */
  async stop(): Promise<void> {
    this.started = false;
    this.resyncTimer?.cancel();
    this.queue.stop();
    while (this.running.size > 0) await Promise.all(this.running);
  }

  /** Tries what has failed in a scope again: the API server is back, and no one should wait out a backoff for it. */
  retryFailed(scope = ""): void {
    this.queue.retryFailed((text) => isIn(scope, keyFromText(text)));
  }

  /** Ends passes under way, and begins no more. */
  abort(reason: Error): void {
    this.started = false;
    this.aborter.abort(reason);
  }

  private enqueue(keys: Key[], event: StoreEvent): void {
    for (const key of keys) {
      if (this.waiting.take(key, priorityOf(event))) continue;
      const text = keyText(key);
      // With several keys the pass that wrote may be another's.
      const during = keys.length === 1 && this.queue.isProcessing(text);
      if (event.type === "answered") {
        if (during) this.held.answered(text, event);
      } else if (during && !event.own) this.held.hold(text, event);
      // The pass that wrote has the answer in hand.
      else if (!during || changedByOthers(event)) this.queue.add(text, priorityOf(event));
    }
  }

  /** Starts passes until the places are taken; bursts of events are gathered into one go. */
  private pump(): void {
    if (this.pumping || !this.started) return;
    this.pumping = true;
    const { workers } = this.dependencies;
    setImmediate(() => {
      this.pumping = false;
      while (this.started && this.active < workers && this.running.size < workers * maxStretch) {
        const key = this.queue.take();
        if (key === undefined) return;
        const pass = this.pass(key).finally(() => {
          this.running.delete(pass);
          this.pump();
        });
        this.running.add(pass);
      }
    });
  }

  private async pass(text: string): Promise<void> {
    const key = keyFromText(text);
    const { metrics } = this.dependencies;
    const log = this.log.child({ namespace: key.namespace, name: key.name });
    const startedAt = this.clock.now();
    let holding = true;
    this.active++;
    const release = () => {
      if (!holding) return;
      holding = false;
      this.active--;
      this.pump();
    };
    const stall = this.clock.setTimeout(release, stalledMs);
    try {
      const result = await this.options.reconcile(key, { signal: this.aborter.signal, log });
      this.queue.forget(text);
      const afterMs = result?.requeueAfterMs;
      if (afterMs !== undefined) this.queue.addAfter(text, afterMs);
      metrics.reconciled(afterMs === undefined ? "success" : "requeue_after", this.clock.now() - startedAt);
    } catch (error) {
      this.failed(text, error, log);
      metrics.reconciled("error", this.clock.now() - startedAt);
    } finally {
      stall.cancel();
      release();
      for (const event of this.held.take(text)) this.queue.add(text, priorityOf(event));
      this.queue.done(text);
    }
  }

  private failed(text: string, error: unknown, log: Logger): void {
    const { metrics } = this.dependencies;
    if (this.aborter.signal.aborted || error instanceof FencedError) {
      log.debug({ err: error }, "The pass was cut short");
      // A renewal that was late but came through makes this replica the leader again, with all its work to do.
      if (!this.aborter.signal.aborted) this.queue.addRateLimited(text);
      return;
    }
    metrics.failed(isBug(error));
    const retryInMs = Math.round(this.queue.addRateLimited(text));
    if (isApiError(error, 409)) log.debug({ err: error, retryInMs }, "Conflict, trying again");
    else log.error({ err: error, retryInMs }, "Reconciler error");
  }

  /** Asks for a pass over every key now and then, should something ever have been missed. */
  private resync(): void {
    this.resyncTimer = this.clock.setTimeout(
      () => {
        for (const object of this.options.primary.list()) {
          if (!this.waiting.take(keyOf(object), "low")) this.queue.add(keyText(keyOf(object)), "low");
        }
        this.resync();
      },
      resyncMs * (0.9 + 0.2 * Math.random()),
    );
  }
}

const priorityOf = (event: StoreEvent): Priority => (event.initial ? "low" : "high");

function isBug(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError || error instanceof ReferenceError;
}
