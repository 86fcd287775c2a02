import { compareResourceVersions, keyOf, keyText } from "../object";
import type { Key, KubeObject, Logger, ResourceType, StoreEvent, StoreOptions, Wrote } from "../types";
import { ObjectIndex } from "./objectIndex";
import { labelSelector } from "./selector";
import { Tombstones } from "./tombstones";

/** A change as the API server's watch reports it. */
export interface WatchChange {
  type: "ADDED" | "MODIFIED" | "DELETED";
  object: KubeObject;
}

/** What an `ObjectStore` tells those who read it. */
export type Store<T extends KubeObject = KubeObject> = Pick<
  ObjectStore<T>,
  "type" | "scopes" | "synced" | "syncedIn" | "onSynced" | "get" | "list" | "byIndex" | "subscribe"
>;

/**
 * The cache of one kind: what the watch says, with answers to our own writes taken in ahead of it. Every change goes to
 * the subscribers synchronously and in order. One reflector a scope (a namespace, or "" for all) feeds it. Objects in it are shared: read
 * them, never change them.
 */
export class ObjectStore<T extends KubeObject = KubeObject> {
  private readonly objects = new Map<string, T>();
  private readonly indices = new Map<string, ObjectIndex<T>>();
  /** Keys whose state came from our own write and that the watch has not caught up with yet. */
  private readonly ahead = new Set<string>();
  private readonly tombstones = new Tombstones();
  /** How far each scope's watch has come: what it has passed, it has told. */
  private readonly reached = new Map<string, string>();
  private readonly handlers: ((event: StoreEvent<T>) => void)[] = [];
  private readonly missing: Set<string>;
  private readonly selects: (labels?: Record<string, string>) => boolean;
  private readonly transform: (object: KubeObject) => T;
  private readonly syncHandlers: (() => void)[] = [];

  constructor(
    readonly type: ResourceType,
    readonly scopes: string[],
    private readonly log: Logger,
    options: StoreOptions<T> = {},
  ) {
    this.missing = new Set(scopes);
    this.selects = labelSelector(options.labelSelector ?? "");
    const { transform } = options;
    this.transform = transform ? this.guarded(transform, (object) => object as T) : (object) => object as T;
    for (const [name, valuesOf] of Object.entries(options.indices ?? {})) {
      this.indices.set(name, new ObjectIndex(this.guarded(valuesOf, () => [])));
    }
  }

  /** True once the first list of every scope is in. Stays true through later outages. */
  get synced(): boolean {
    return this.missing.size === 0;
  }

  /** True once the first list that covers `namespace` is in; of a store that does not follow it, once all are. */
  syncedIn(namespace: string): boolean {
    const scope = this.scopeOf(namespace);
    return scope === undefined ? this.synced : !this.missing.has(scope);
  }

  /** Calls `handler` whenever the first list of a scope is in. */
  onSynced(handler: () => void): void {
    this.syncHandlers.push(handler);
  }

  get(key: Key): T | undefined {
    return this.objects.get(keyText(key));
  }

  list(): T[] {
    return Array.from(this.objects.values());
  }

  /** Objects for which the index function gave `value`. Throws for an index that was not declared. */
  byIndex(index: string, value: string): T[] {
    const found = this.indices.get(index);
    if (!found) throw new Error(`the store of ${this.type.kind} has no index "${index}"`);
    return found.find(value);
  }

  /** Calls `handler` for each change from now on; a handler that throws is logged and harms nothing. */
  subscribe(handler: (event: StoreEvent<T>) => void): void {
    this.handlers.push(handler);
  }

  /** Takes in the API server's answer to a write of our own, untransformed, unless a newer state of the same UID is here. */
  observe(object: KubeObject, wrote: Wrote = "object"): void {
    const { uid, namespace = "" } = object.metadata;
    const scope = this.scopeOf(namespace);
    if (scope === undefined || !this.selects(object.metadata.labels) || this.tombstones.has(uid)) return;
    const key = keyText(keyOf(object));
    const old = this.objects.get(key);
    // An answer that took longer than the watch: by now the object may have changed again, or be gone.
    const late = !newer(object.metadata.resourceVersion, this.reached.get(scope) ?? "");
    if (late || (old && old.metadata.uid === uid && compare(object, old) <= 0)) {
      this.emit({ type: "answered", object: object as T, initial: false, own: wrote });
      return;
    }
    this.ahead.add(key);
    this.put(key, object, false, wrote);
  }

  /** Drops an object that we deleted, and ignores late events for that UID. */
  observeDeleted(key: Key, uid?: string): void {
    const text = keyText(key);
    const old = this.objects.get(text);
    if (uid !== undefined) this.tombstones.add(uid);
    if (old && (uid === undefined || old.metadata.uid === uid)) this.remove(text, old, "object");
  }

  /** Notes that a scope's watch has come to `resourceVersion` (a bookmark). */
  reach(scope: string, resourceVersion: string): void {
    this.reached.set(scope, resourceVersion);
  }

  /** Takes in one event of a scope's watch; those our own writes have overtaken are dropped, and so are repeats. */
  change(change: WatchChange, scope = ""): void {
    const { object } = change;
    this.reach(scope, object.metadata.resourceVersion ?? "");
    const key = keyText(keyOf(object));
    const old = this.objects.get(key);
    const sameObject = old !== undefined && old.metadata.uid === object.metadata.uid;
    if (change.type === "DELETED") {
      // A newer object of that name may already be here by our own create.
      if (sameObject || (old && !this.ahead.has(key))) this.remove(key, sameObject ? this.transform(object) : old);
      return;
    }
    if (this.tombstones.has(object.metadata.uid)) return;
    if (sameObject && object.metadata.resourceVersion === old.metadata.resourceVersion) {
      this.ahead.delete(key);
      return;
    }
    if (this.ahead.has(key) && old && compare(object, old) < 0) return;
    this.ahead.delete(key);
    this.put(key, object, false);
  }

  /**
   * Makes a scope equal to a list taken at `resourceVersion`: what is gone is deleted, what has another UID is deleted and added, what is
   * equal is left alone. Our own writes that are newer than the list stay.
   */
  replace(scope: string, items: KubeObject[], resourceVersion: string): void {
    const listed = new Map(items.map((item) => [keyText(keyOf(item)), item]));
    const initial = this.missing.has(scope);
    this.reach(scope, resourceVersion);
    for (const [key, old] of this.objects) {
      if (scope !== "" && old.metadata.namespace !== scope) continue;
      if (listed.has(key) || (this.ahead.has(key) && newer(old.metadata.resourceVersion, resourceVersion))) continue;
      this.remove(key, old);
    }
    for (const [key, item] of listed) {
      const old = this.objects.get(key);
      if (this.tombstones.has(item.metadata.uid)) continue;
      if (old && this.ahead.has(key) && compare(item, old) < 0) continue;
      this.ahead.delete(key);
      const same = old && old.metadata.uid === item.metadata.uid;
      if (same && old.metadata.resourceVersion === item.metadata.resourceVersion) continue;
      this.put(key, item, initial);
    }
    if (this.missing.delete(scope)) for (const handler of this.syncHandlers) handler();
  }

  private scopeOf(namespace: string): string | undefined {
    return this.scopes.find((each) => each === "" || each === namespace);
  }

  private put(key: string, object: KubeObject, initial: boolean, own?: Wrote): void {
    const old = this.objects.get(key);
    if (old && old.metadata.uid !== object.metadata.uid) {
      const ahead = this.ahead.has(key);
      this.remove(key, old);
      if (ahead) this.ahead.add(key);
      // Another object in its place is news, even when it is the answer to our write that says so.
      return this.put(key, object, initial);
    }
    const current = this.transform(object);
    this.objects.set(key, current);
    for (const index of this.indices.values()) index.update(key, old, current);
    this.emit({ type: old ? "updated" : "added", object: current, old, initial, own });
  }

  private remove(key: string, last: T, own?: Wrote): void {
    const old = this.objects.get(key);
    this.objects.delete(key);
    this.ahead.delete(key);
    for (const index of this.indices.values()) index.update(key, old, undefined);
    this.emit({ type: "deleted", object: last, initial: false, own });
  }

  /** An object of unexpected shape must cost no one else their cache. */
  private guarded<A extends KubeObject, R>(run: (object: A) => R, otherwise: (object: A) => R): (object: A) => R {
    return (object) => {
      try {
        return run(object);
      } catch (error) {
        this.complain(error, object, "A transform or index of the cache failed");
        return otherwise(object);
      }
    };
  }

  private complain(error: unknown, object: KubeObject, message: string): void {
    const { namespace, name } = object.metadata;
    this.log.error({ err: error, kind: this.type.kind, namespace, name }, message);
  }

  private emit(event: StoreEvent<T>): void {
    // With several subscribers nobody knows whose write it was.
    const told = event.own && this.handlers.length > 1 ? { ...event, own: undefined } : event;
    if (told.type === "answered" && !told.own) return;
    for (const handler of this.handlers) {
      try {
        handler(told);
      } catch (error) {
        this.complain(error, event.object, "A handler of cache events failed");
      }
    }
  }
}

const compare = (a: KubeObject, b: KubeObject) =>
  compareResourceVersions(a.metadata.resourceVersion ?? "", b.metadata.resourceVersion ?? "");

const newer = (a: string | undefined, b: string) => compareResourceVersions(a ?? "", b) > 0;
