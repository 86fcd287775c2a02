import type { Logger as PinoLogger } from "pino";

/** A kind as the API server serves it; `group` is "" for the core group. */
export interface ResourceType {
  group: string;
  version: string;
  plural: string;
  kind: string;
  namespaced: boolean;
}

export interface OwnerReference {
  apiVersion: string;
  kind: string;
  name: string;
  uid: string;
  controller?: boolean;
  blockOwnerDeletion?: boolean;
}

/** The part of metav1.ObjectMeta the runtime and its users read. managedFields are never kept in memory. */
export interface ObjectMeta {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: OwnerReference[];
  finalizers?: string[];
  creationTimestamp?: string;
  deletionTimestamp?: string;
  deletionGracePeriodSeconds?: number;
}

/** Any Kubernetes object: plain JSON, never a class instance. */
export interface KubeObject {
  apiVersion: string;
  kind: string;
  metadata: ObjectMeta;
}

/** Names one object of a kind; `namespace` is "" for a cluster-scoped one. */
export interface Key {
  namespace: string;
  name: string;
}

export type Logger = PinoLogger;

export interface CallOptions {
  /** Ends the call early; the promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds for one try, connecting included. Default 30000; lists 60000. */
  timeoutMs?: number;
}

export interface ListOptions extends CallOptions {
  /** Left out: all namespaces. */
  namespace?: string;
  labelSelector?: string;
  fieldSelector?: string;
  /** Objects a page; the pages are joined. Default 500. */
  limit?: number;
}

export interface CreateOptions extends CallOptions {
  /** Under which name metadata.managedFields keeps the fields. Default: what the User-Agent starts with. */
  fieldManager?: string;
}

export interface ApplyOptions extends CallOptions {
  fieldManager: string;
  /** Takes fields over from other managers; without it they make the server answer 409. */
  force?: boolean;
}

export interface DeleteOptions extends CallOptions {
  /** Precondition: only this very object, not a later one of the same name (409 otherwise). */
  uid?: string;
  propagationPolicy?: "Background" | "Foreground" | "Orphan";
}

/**
 * Talks to the API server in plain JSON. Every method rejects with an `ApiError` that carries the server's own words,
 * or with a `TransportError` when no answer came. 429 (and 5xx with Retry-After) is retried within bounds, a 401 once with
 * credentials read anew. Writes through a manager's client reach the stores of that kind at once, and are refused with a
 * `FencedError` when leadership is not certain.
 */
export interface Client {
  get<T extends KubeObject = KubeObject>(type: ResourceType, key: Key, options?: CallOptions): Promise<T>;
  list<T extends KubeObject = KubeObject>(type: ResourceType, options?: ListOptions): Promise<ObjectList<T>>;
  /** POST. `body.metadata.namespace` says where. */
  create<T extends KubeObject = KubeObject>(type: ResourceType, body: object, options?: CreateOptions): Promise<T>;
  /** Server-side apply of exactly the fields in `body` (apiVersion, kind, metadata.name and namespace included). */
  apply<T extends KubeObject = KubeObject>(type: ResourceType, body: object, options: ApplyOptions): Promise<T>;
  /**
   * Makes what `fieldManager` owns by `create` and `patch` its own by apply, so that its next apply can drop fields. Costs a GET, and a
   * patch where there is something to do; rejects with 409 when the object changes meanwhile.
   */
  ownByApply(type: ResourceType, key: Key, options: ApplyOptions): Promise<void>;
  /** JSON merge patch of the object itself. */
  patch<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: Key,
    patch: object,
    options?: CallOptions,
  ): Promise<T>;
  /** JSON merge patch of `{ status }` on the status subresource, without resourceVersion, so that it cannot conflict. */
  patchStatus<T extends KubeObject = KubeObject>(
    type: ResourceType,
    key: Key,
    status: object,
    options?: CallOptions,
  ): Promise<T>;
  /**
   * JSON merge patch of the scale subresource: `metadata` and `spec.replicas`. The store does not take the answer in, which is a
   * Scale; the watch tells of the change.
   */
  patchScale(type: ResourceType, key: Key, patch: object, options?: CallOptions): Promise<void>;
  /** PUT with the body's resourceVersion: 409 when the object has changed since. */
  replace<T extends KubeObject = KubeObject>(type: ResourceType, body: KubeObject, options?: CallOptions): Promise<T>;
  /** Resolves to the object when it lives on for its finalizers, to undefined when it is gone. */
  delete(type: ResourceType, key: Key, options?: DeleteOptions): Promise<KubeObject | undefined>;
}

export interface ObjectList<T> {
  items: T[];
  resourceVersion: string;
}

/** What a write of our own touched: decides whether a running pass still has to be told about the answer. */
export type Wrote = "object" | "status";

/** A change as the store saw it. Deliveries of one store are in order, and synchronous. */
export interface StoreEvent<T extends KubeObject = KubeObject> {
  /** "answered": the answer to a write of our own came after the watch had told of it; nothing changes now. */
  type: "added" | "updated" | "deleted" | "answered";
  /** For "deleted" the last state known, which may be older than the state it was deleted in. For "answered" the answer. */
  object: T;
  /** The state before, for "updated". */
  old?: T;
  /** Part of a first list: nothing changed just now. */
  initial: boolean;
  /** Set when this is the answer to a write of our own. */
  own?: Wrote;
}

/** A cache of one kind, kept by a reflector. Objects in it are shared: read them, never change them. */
export interface Store<T extends KubeObject = KubeObject> {
  readonly type: ResourceType;
  /** The namespaces that are followed; [""] is all of them, or a kind without. */
  readonly scopes: readonly string[];
  /** True once the first list of every scope is in. Stays true through later outages. */
  readonly synced: boolean;
  /** True once the first list that covers `namespace` is in; of a store that does not follow it, once all are. */
  syncedIn(namespace: string): boolean;
  /** Calls `handler` whenever the first list of a scope is in. */
  onSynced(handler: () => void): void;
  get(key: Key): T | undefined;
  list(): T[];
  /** Objects for which the index function gave `value`. Throws for an index that was not declared. */
  byIndex(index: string, value: string): T[];
  /** Calls `handler` for each change from now on; a handler that throws is logged and harms nothing. */
  subscribe(handler: (event: StoreEvent<T>) => void): void;
}

export interface StoreOptions<T extends KubeObject = KubeObject> {
  /** "key=value", several separated by commas. */
  labelSelector?: string;
  /** Makes what is kept out of what came (managedFields are already gone). It must not change its argument. */
  transform?: (object: KubeObject) => T;
  /** Name -> values an object is found under with `byIndex`. */
  indices?: Record<string, (object: T) => string[]>;
}

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
  map: (object: T, old?: T) => Key[];
}

export interface ControllerOptions<T extends KubeObject = KubeObject> {
  name: string;
  primary: Store<T>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each watch has its own kind
  watches?: ControllerWatch<any>[];
  reconcile: Reconcile;
}

/** Reports to people through events.k8s.io/v1. Repeats become one series; it never throws and never blocks. */
export interface EventRecorder {
  /** `regarding` must carry its uid. `reason` and `action` are UpperCamelCase; `note` is cut at 1024 bytes. */
  event(regarding: KubeObject, type: "Normal" | "Warning", reason: string, action: string, note: string): void;
}

/** What a manager gives to those who register controllers with it. */
export interface ControllerManager {
  readonly client: Client;
  readonly events: EventRecorder;
  /** Registers a reflector; starts with `run`. */
  store<T extends KubeObject = KubeObject>(type: ResourceType, options?: StoreOptions<T>): Store<T>;
  controller<T extends KubeObject>(options: ControllerOptions<T>): void;
}
