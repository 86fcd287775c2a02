import type { ReflectorObserver } from "../cache/reflector";
import { Reflector } from "../cache/reflector";
import { ObjectStore } from "../cache/store";
import type { WriteObserver } from "../http/client";
import { typeName } from "../http/paths";
import type { Transport } from "../http/transport";
import type { Key, KubeObject, Logger, ResourceType, StoreOptions, Wrote } from "../types";

/** All stores of a manager with the reflectors that feed them; takes in the answers to the manager's own writes. */
export class Caches implements WriteObserver {
  private readonly stores: ObjectStore[] = [];
  private readonly reflectors: { reflector: Reflector; store: ObjectStore; scope: string }[] = [];
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly log: Logger,
    private readonly observer: ReflectorObserver,
    private readonly namespaces: string[],
    /** Every scope is followed again after some could not be. */
    private readonly onRecovered: () => void = () => undefined,
  ) {}

  add<T extends KubeObject>(type: ResourceType, options: StoreOptions<T> = {}): ObjectStore<T> {
    if (this.running) throw new Error(`the store of ${type.kind} must be declared before the manager runs`);
    const namespaces = type.namespaced ? (options.namespaces ?? this.namespaces) : [];
    const scopes = namespaces.length > 0 ? Array.from(new Set(namespaces)) : [""];
    const store = new ObjectStore<T>(type, scopes, this.log, options);
    const untyped = store as unknown as ObjectStore;
    this.stores.push(untyped);
    for (const scope of scopes) {
      const { transport, log, observer } = this;
      const { labelSelector } = options;
      const onRecovered = () => {
        if (this.missing() === undefined) this.onRecovered();
      };
      const reflector = new Reflector({ transport, store: untyped, scope, labelSelector, log, observer, onRecovered });
      this.reflectors.push({ reflector, store: untyped, scope });
    }
    return store;
  }

  /** Follows the API server until `signal` aborts. */
  run(signal: AbortSignal): Promise<unknown> {
    this.running ??= Promise.all(this.reflectors.map(({ reflector }) => reflector.run(signal)));
    return this.running;
  }

  /** What keeps the caches from being complete and current, or undefined. */
  missing(): string | undefined {
    const reasons = new Set<string>();
    for (const { reflector, store, scope } of this.reflectors) {
      const where = scope === "" ? "" : ` in namespace ${scope}`;
      if (reflector.reason) reasons.add(`${typeName(store.type)}${where}: ${reflector.reason}`);
      else if (!store.synced) reasons.add(`${typeName(store.type)}${where}: the first list is under way`);
    }
    return reasons.size === 0 ? undefined : Array.from(reasons).join("; ");
  }

  wrote(type: ResourceType, object: KubeObject, wrote: Wrote): void {
    for (const store of this.of(type)) store.observe(object, wrote);
  }

  deleted(type: ResourceType, key: Key, uid?: string): void {
    for (const store of this.of(type)) store.observeDeleted(key, uid);
  }

  private of(type: ResourceType): ObjectStore[] {
    return this.stores.filter((store) => store.type.plural === type.plural && store.type.group === type.group);
  }
}
