import type { ReflectorObserver } from "../cache/reflector";
import { Reflector } from "../cache/reflector";
import { ObjectStore } from "../cache/store";
import type { WriteObserver } from "../http/client";
import { typeName } from "../http/paths";
import type { Transport } from "../http/transport";
import type { Followed } from "../metrics/reflectorMetrics";
import { Outage, type Reported, SharedOutage } from "../outage";
import type { Check } from "../servers/health";
import type { Key, KubeObject, Logger, ResourceType, StoreOptions, Wrote } from "../types";

/** One kind in one scope. */
interface Part {
  reflector: Reflector;
  store: ObjectStore;
  scope: string;
}

/** All stores of a manager with the reflectors that feed them; takes in the answers to the manager's own writes. */
export class Caches implements WriteObserver {
  private readonly stores: ObjectStore[] = [];
  private readonly parts: Part[] = [];
  private readonly outages = new Map<string, SharedOutage>();
  private running: Promise<unknown> | undefined;

  constructor(
    private readonly transport: Transport,
    private readonly log: Logger,
    private readonly observer: ReflectorObserver,
    private readonly namespaces: string[],
    /** A scope is followed again, in all kinds, after it could not be. */
    private readonly onRecovered: (scope: string) => void = () => undefined,
  ) {}

  add<T extends KubeObject>(type: ResourceType, options: StoreOptions<T> = {}): ObjectStore<T> {
    if (this.running) throw new Error(`the store of ${type.kind} must be declared before the manager runs`);
    const namespaces = type.namespaced ? this.namespaces : [];
    const scopes = namespaces.length > 0 ? Array.from(new Set(namespaces)) : [""];
    const store = new ObjectStore<T>(type, scopes, this.log, options);
    const untyped = store as unknown as ObjectStore;
    this.stores.push(untyped);
    for (const scope of scopes) {
      const { transport, log, observer } = this;
      const { labelSelector } = options;
      const onRecovered = () => {
        if (this.parts.every((part) => part.scope !== scope || isFollowed(part))) this.onRecovered(scope);
      };
      const follows = { store: untyped, scope, labelSelector, outage: this.outageOf(scope) };
      const reflector = new Reflector({ transport, ...follows, log, observer, onRecovered });
      this.parts.push({ reflector, store: untyped, scope });
    }
    return store;
  }

  /** Follows the API server until `signal` aborts. */
  run(signal: AbortSignal): Promise<unknown> {
    this.running ??= Promise.all(this.parts.map(({ reflector }) => reflector.run(signal)));
    return this.running;
  }

  /**
   * Fails while a first list is under way, while what is not of one namespace cannot be followed, and while no namespace can. Of several
   * namespaces those that are lost are a remark: work in the others goes on without them.
   */
  readonly check: Check = () => {
    const open = this.parts.filter((part) => !isFollowed(part));
    if (open.length === 0) return undefined;
    const lost = new Set(open.filter(({ reflector }) => reflector.reason !== undefined).map(({ scope }) => scope));
    const isLost = ({ scope }: Part) => scope !== "" && lost.has(scope);
    const some = this.parts.some(({ scope }) => scope !== "" && !lost.has(scope));
    const missing = Array.from(new Set(open.map(lackOf))).join("; ");
    return some && open.every(isLost) ? { remark: `without what cannot be followed: ${missing}` } : missing;
  };

  followed(): Followed[] {
    return this.parts.map((part) => {
      return { resource: typeName(part.store.type), namespace: part.scope, up: isFollowed(part) };
    });
  }

  wrote(type: ResourceType, object: KubeObject, wrote: Wrote): void {
    for (const store of this.of(type)) store.observe(object, wrote);
  }

  deleted(type: ResourceType, key: Key, uid?: string): void {
    for (const store of this.of(type)) store.observeDeleted(key, uid);
  }

  /** Where all kinds of a namespace are lost together, that is told in one line. */
  private outageOf(scope: string): Reported | undefined {
    if (scope === "") return undefined;
    const log = this.log.child({ namespace: scope });
    const outage = this.outages.get(scope) ?? new SharedOutage(new Outage(log, `Watching namespace ${scope}`));
    this.outages.set(scope, outage);
    return outage.part();
  }

  private of(type: ResourceType): ObjectStore[] {
    return this.stores.filter((store) => store.type.plural === type.plural && store.type.group === type.group);
  }
}

function isFollowed({ reflector, store, scope }: Part): boolean {
  return reflector.reason === undefined && store.syncedIn(scope);
}

function lackOf({ reflector, store, scope }: Part): string {
  const where = scope === "" ? "" : ` in namespace ${scope}`;
  return `${typeName(store.type)}${where}: ${reflector.reason ?? "the first list is under way"}`;
}
