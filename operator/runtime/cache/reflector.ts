import { delayAfter } from "../backoff";
import type { Clock, Timer } from "../clock";
import { IdleTimer, sleep, systemClock } from "../clock";
import { type ApiError, TransportError, isApiError } from "../errors";
import { list } from "../http/list";
import { query, resourcePath, typeName } from "../http/paths";
import type { Reader } from "../http/transport";
import type { KubeObject, Logger } from "../types";
import { InitialEvents } from "./initialEvents";
import { Outage, type Reported } from "../outage";
import type { ObjectStore } from "./store";
import { type WatchEvent, readWatch } from "./watchStream";

/** What a reflector counts; see metrics/reflectorMetrics.ts. */
export interface ReflectorObserver {
  listed(resource: string): void;
  watchEnded(resource: string, why: "timeout" | "silent" | "expired" | "error" | "empty"): void;
}

export interface ReflectorOptions {
  transport: Reader;
  store: ObjectStore;
  /** One of the store's scopes: a namespace, or "" for all. */
  scope: string;
  labelSelector?: string;
  log: Logger;
  observer?: ReflectorObserver;
  clock?: Clock;
  random?: () => number;
  /** A watch without a byte for this long is dead. Bookmarks come every minute. Default 90000. */
  silenceMs?: number;
  /** How long the initial events may pause before a plain LIST takes over. Default 30000. */
  initialEventsMs?: number;
  /** Takes why the scope cannot be followed. Default: told for this kind by itself. */
  outage?: Reported;
  /** The scope is followed again after it could not be. */
  onRecovered?: () => void;
}

const backoff = { minMs: 800, maxMs: 30_000, jitter: 1 };
/**
 * A server that is down, starting (5xx, 403) or without the kind is not burdened by a try, and people wait for it. One that
 * says it has too much to do (429), or closes watches at once, is left alone for longer.
 */
const quickCapMs = 4_000;
const healthyMs = 120_000;
const shortWatchMs = 1_000;
const maxEmptyWatches = 5;

/**
 * Keeps one scope of a store like the API server, for as long as `run` lasts: client-go's Reflector. Streams the first list (WatchList) where
 * the server can, else pages through it; then watches, resuming where it was, and starts over only when the server has forgotten
 * that point.
 */
export class Reflector {
  /** Where to resume; "" means the scope has to be listed anew. */
  private resourceVersion = "";
  private streamsLists = true;
  /** The next list is a plain one: the server could not bring its watch cache up to date for a streamed one. */
  private listsPlainly = false;
  private emptyWatches = 0;
  private failures = 0;
  private readonly clock: Clock;
  private readonly outage: Reported;
  private readonly resource: string;

  constructor(private readonly options: ReflectorOptions) {
    this.clock = options.clock ?? systemClock;
    this.resource = typeName(options.store.type);
    const { log, outage } = options;
    this.outage = outage ?? new Outage(log.child({ resource: this.resource }), `Watching ${this.resource}`);
  }

  /** Why the scope is not being followed at the moment, in the server's words; undefined when it is. */
  get reason(): string | undefined {
    return this.outage.reason;
  }

  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const started = this.clock.now();
      const delayMs = await this.once(signal, started);
      if (signal.aborted) return;
      if (this.clock.now() - started >= healthyMs) this.failures = 0;
      if (delayMs > 0) await sleep(this.clock, delayMs, signal);
    }
  }

  /** One list or watch; returns how long to wait before the next. */
  private async once(signal: AbortSignal, started: number): Promise<number> {
    try {
      if (this.resourceVersion === "" && (this.listsPlainly || !this.streamsLists)) {
        this.listsPlainly = false;
        await this.list(signal);
        return 0;
      }
      const events = await this.watch(signal);
      return this.closed(events, this.clock.now() - started);
    } catch (error) {
      return signal.aborted ? 0 : this.failed(error);
    }
  }

  private async list(signal: AbortSignal): Promise<void> {
    const { transport, store, scope, labelSelector } = this.options;
    const { items, resourceVersion } = await list(transport, store.type, { namespace: scope, labelSelector, signal });
    this.replace(items, resourceVersion);
  }

  private replace(items: KubeObject[], resourceVersion: string): void {
    this.options.store.replace(this.options.scope, items, resourceVersion);
    this.resourceVersion = resourceVersion;
    this.options.observer?.listed(this.resource);
    this.recovered();
  }

  /** Follows one watch to its end and returns the number of events it brought. */
  private async watch(signal: AbortSignal): Promise<number> {
    const { transport, silenceMs = 90_000, initialEventsMs = 30_000 } = this.options;
    const first = this.resourceVersion === "" ? new InitialEvents() : undefined;
    // Something in between may swallow the end of a streamed list; waiting longer would leave the cache empty for ever.
    const giveUp = new AbortController();
    const pause = new IdleTimer(this.clock, initialEventsMs, () =>
      giveUp.abort(new TransportError("INITIAL_EVENTS", "the streamed list did not end")),
    );
    if (!first) pause.cancel();
    let count = 0;
    let lasting: Timer | undefined;
    const onOpen = () => {
      // A watch that lasts is an outage over, whether or not anything happens on it.
      if (!first) lasting = this.clock.setTimeout(() => this.recovered(), shortWatchMs);
    };
    const onEvent = (event: WatchEvent) => {
      count++;
      if (!first || first.done) return this.take(event);
      if (event.type === "ADDED") pause.touch();
      if (!first.take(event)) return;
      pause.cancel();
      this.replace(first.items(), event.object.metadata.resourceVersion ?? "");
    };
    try {
      const path = this.watchPath(first !== undefined);
      const ending = AbortSignal.any([signal, giveUp.signal]);
      await readWatch(transport, { path, clock: this.clock, signal: ending, silenceMs, onOpen, onEvent });
    } finally {
      pause.cancel();
      lasting?.cancel();
    }
    return count;
  }

  private watchPath(initial: boolean): string {
    const { store, scope, labelSelector, random = Math.random } = this.options;
    const from = initial
      ? { sendInitialEvents: true, resourceVersionMatch: "NotOlderThan" }
      : { resourceVersion: this.resourceVersion };
    const timeoutSeconds = Math.round(300 + 300 * random());
    const parameters = { watch: true, allowWatchBookmarks: true, timeoutSeconds, labelSelector, ...from };
    return resourcePath(store.type, scope) + query(parameters);
  }

  /** Takes in an event that is no part of a first list. */
  private take({ type, object }: WatchEvent): void {
    const { store, scope } = this.options;
    this.resourceVersion = object.metadata.resourceVersion ?? "";
    if (type === "BOOKMARK") store.reach(scope, this.resourceVersion);
    else store.change({ type, object }, scope);
    this.recovered();
  }

  /** The server ended the watch without a complaint. */
  private closed(events: number, lastedMs: number): number {
    const { observer } = this.options;
    if (events > 0 || lastedMs >= shortWatchMs) {
      this.emptyWatches = 0;
      observer?.watchEnded(this.resource, "timeout");
      if (this.resourceVersion !== "") this.recovered();
      return 0;
    }
    observer?.watchEnded(this.resource, "empty");
    this.emptyWatches++;
    // Some servers forget to say 410.
    if (this.emptyWatches % maxEmptyWatches === 0) this.resourceVersion = "";
    this.outage.failed("the server closes watches at once");
    return this.backOff();
  }

  private failed(error: unknown): number {
    const { observer } = this.options;
    if (error instanceof TransportError && error.code === "SILENT") {
      observer?.watchEnded(this.resource, "silent");
      this.options.log.info({ resource: this.resource }, "The watch went silent, opening another");
      return this.backOff(quickCapMs);
    }
    if (this.cannotStream(error)) {
      this.streamsLists = false;
      return 0;
    }
    if (isAhead(error) && this.resourceVersion === "") {
      observer?.watchEnded(this.resource, "error");
      this.outage.failed(error.message);
      this.listsPlainly = true;
      return this.backOff(quickCapMs);
    }
    if (isExpired(error)) {
      observer?.watchEnded(this.resource, "expired");
      this.resourceVersion = "";
      // After an outage that outlasted the history the server answers again: people wait for the list.
      return this.outage.reason === undefined ? this.backOff() : 0;
    }
    observer?.watchEnded(this.resource, "error");
    const cause = error instanceof Error ? error.message : String(error);
    const isMissing = isApiError(error, 404);
    this.outage.failed(isMissing ? `${this.resource}: ${cause} (is the CRD installed?)` : cause);
    // A kind that comes back may be another one: nothing of the old history can be resumed.
    if (isMissing) this.resourceVersion = "";
    const delayMs = this.backOff(isApiError(error, 429) ? undefined : quickCapMs);
    return Math.max(delayMs, isApiError(error) ? (error.retryAfterSeconds ?? 0) * 1000 : 0);
  }

  /** How long to wait after one more failure, in milliseconds. */
  private backOff(maxMs = backoff.maxMs): number {
    return delayAfter(this.failures++, { ...backoff, maxMs, random: this.options.random });
  }

  private recovered(): void {
    if (this.outage.recovered()) this.options.onRecovered?.();
  }

  /** True when a streamed first list is refused by an older server, or swallowed by something in between. */
  private cannotStream(error: unknown): boolean {
    if (this.resourceVersion !== "" || !this.streamsLists) return false;
    if (error instanceof TransportError) return error.code === "INITIAL_EVENTS";
    return isApiError(error, 400) || isApiError(error, 422);
  }
}

/** 410, and a resourceVersion from before the server's data was restored. */
function isExpired(error: unknown): boolean {
  return isApiError(error) && (error.code === 410 || error.reason === "Expired" || isAhead(error));
}

/**
 * The server's watch cache has not come to the resourceVersion within 3 s. For a first list that is etcd's own, which a plain list, other
 * than a streamed one, then reads from etcd.
 */
function isAhead(error: unknown): error is ApiError {
  return isApiError(error) && error.hasCause("ResourceVersionTooLarge");
}
