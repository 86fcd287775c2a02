import type { KubeObject, StoreEvent } from "../types";
import { changedByOthers } from "./ownWrites";

/**
 * What the watch tells of a key while a pass over it is under way. It waits for the end of the pass, since the watch may be faster than
 * the answer to the pass's own write: what that write alone brought about is no reason for another pass.
 */
export class HeldEvents {
  private readonly events = new Map<string, StoreEvent[]>();

  hold(key: string, event: StoreEvent): void {
    const held = this.events.get(key);
    if (held) held.push(event);
    else this.events.set(key, [event]);
  }

  /** The answer to a write has come: drops what the watch told of it before, unless that brought news as well. */
  answered(key: string, { object, own }: StoreEvent): void {
    const held = this.events.get(key);
    if (!held) return;
    const left = held.filter((event) => !sameState(event.object, object) || changedByOthers({ ...event, own }));
    this.events.set(key, left);
  }

  /** What is left of a key at the end of its pass; handed out once. */
  take(key: string): StoreEvent[] {
    const held = this.events.get(key) ?? [];
    this.events.delete(key);
    return held;
  }
}

function sameState({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return a.uid === b.uid && a.resourceVersion === b.resourceVersion;
}
