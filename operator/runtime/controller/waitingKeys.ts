import type { Store } from "../cache/store";
import { keyFromText, keyText } from "../object";
import type { Key } from "../types";
import type { Priority } from "./queue";

/**
 * Keys of scopes that not all stores of a controller have listed yet. They wait for that: a pass would take what is not there yet for what
 * does not exist. Once a scope is complete it stays so, also through later outages.
 */
export class WaitingKeys {
  private readonly incomplete: Set<string>;
  private readonly keys = new Map<string, Priority>();

  /** `release` is given the keys of a scope once it is complete. `stores` include the primary. */
  constructor(
    primary: Store,
    private readonly stores: Store[],
    private readonly release: (key: string, priority: Priority) => void,
  ) {
    this.incomplete = new Set(primary.scopes);
    for (const store of stores) store.onSynced(() => this.look());
  }

  /** Whether the key has to wait, and is kept here until then. */
  take(key: Key, priority: Priority): boolean {
    if (!this.incomplete.has("") && !this.incomplete.has(key.namespace)) return false;
    const text = keyText(key);
    if (priority === "high" || !this.keys.has(text)) this.keys.set(text, priority);
    return true;
  }

  private look(): void {
    for (const scope of this.incomplete) {
      if (!this.stores.every((store) => store.syncedIn(scope))) continue;
      this.incomplete.delete(scope);
      for (const [text, priority] of this.keys) {
        if (!isIn(scope, keyFromText(text))) continue;
        this.keys.delete(text);
        this.release(text, priority);
      }
    }
  }
}

/** Whether a key is in a scope: a namespace, or "" for all. */
export function isIn(scope: string, key: Key): boolean {
  return scope === "" || scope === key.namespace;
}
