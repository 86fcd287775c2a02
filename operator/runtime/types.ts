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

export interface StoreOptions<T extends KubeObject = KubeObject> {
  /** "key=value", several separated by commas. */
  labelSelector?: string;
  /** Makes what is kept out of what came (managedFields are already gone). It must not change its argument. */
  transform?: (object: KubeObject) => T;
  /** Name -> values an object is found under with `byIndex`. */
  indices?: Record<string, (object: T) => string[]>;
}
