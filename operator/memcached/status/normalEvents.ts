import type { Memcached } from "../../../api";
import { type EventRecorder, TokenBucket, keyOf, keyText } from "../../runtime";
import { memcachedType } from "../types";

/** Tells people of a Memcached what was done to its children, in the past tense. */
export type RecordEvent = (reason: string, note: string) => void;

const all = { burst: 20, everyMs: 1_000 };
const each = { burst: 15, everyMs: 600_000 };

/**
 * Normal Events, for those who look at a Memcached: each costs the API server a write, so that there are few of them when a thousand
 * resources are made at once. And few for one resource, that Warnings are never held back for them.
 */
export class NormalEvents {
  private readonly budget: TokenBucket;
  private readonly budgets = new Map<string, TokenBucket>();

  constructor(
    private readonly events: EventRecorder,
    private readonly clock: () => number,
  ) {
    this.budget = new TokenBucket(all.burst, all.everyMs, clock);
  }

  of(memcached: Memcached): RecordEvent {
    return (reason, note) => {
      if (this.budget.left() < 1) return;
      const slot = keyText(keyOf(memcached));
      let own = this.budgets.get(slot);
      if (!own) this.budgets.set(slot, (own = new TokenBucket(each.burst, each.everyMs, this.clock)));
      if (own.left() < 1) return;
      own.take();
      this.budget.take();
      this.events.event(regarding(memcached), "Normal", reason, "Reconcile", note);
    };
  }

  forget(slot: string): void {
    this.budgets.delete(slot);
  }
}

/** A Memcached as events name it: what is stored has no kind where it came in a list. */
export function regarding({ metadata }: Memcached): Parameters<EventRecorder["event"]>[0] {
  const { group, version, kind } = memcachedType;
  return { apiVersion: `${group}/${version}`, kind, metadata };
}
