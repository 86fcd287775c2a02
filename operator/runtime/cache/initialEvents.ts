import type { Clock, Timer } from "../clock";
import { TransportError } from "../errors";
import { keyOf, keyText, stripManagedFields } from "../object";
import type { KubeObject } from "../types";
import type { WatchEvent } from "./watchStream";

/**
 * Collects a streamed first list (WatchList) until the bookmark that ends it. `signal` aborts when no object has come for `limitMs` and the
 * bookmark is still out: something in between swallows it, and waiting longer would leave the cache empty for ever.
 */
export class InitialEvents {
  done = false;
  private readonly controller = new AbortController();
  private readonly objects = new Map<string, KubeObject>();
  private timer: Timer;
  private progressAt: number;

  constructor(
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {
    this.progressAt = clock.now();
    this.timer = clock.setTimeout(() => this.check(), limitMs);
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Takes in an event; true when the list is complete. */
  take({ type, object }: WatchEvent): boolean {
    if (type === "BOOKMARK") {
      if (object.metadata.annotations?.["k8s.io/initial-events-end"] !== "true") return false;
      this.done = true;
      this.cancel();
      return true;
    }
    const key = keyText(keyOf(object));
    if (type === "DELETED") this.objects.delete(key);
    else this.objects.set(key, stripManagedFields(object));
    if (type === "ADDED") this.progressAt = this.clock.now();
    return false;
  }

  /** What was collected; handed out once. */
  items(): KubeObject[] {
    const items = Array.from(this.objects.values());
    this.objects.clear();
    return items;
  }

  cancel(): void {
    this.timer.cancel();
  }

  private check(): void {
    const left = this.progressAt + this.limitMs - this.clock.now();
    if (left > 0) this.timer = this.clock.setTimeout(() => this.check(), left);
    else this.controller.abort(new TransportError("INITIAL_EVENTS", "the streamed list did not end"));
  }
}
