import type { Memcached } from "../../../api";
import type { Stores } from "../../../operator/memcached/stores";
import { Reconciler } from "../../../operator/memcached/reconciler";
import {
  ApiError,
  type Client,
  type KubeObject,
  type ResourceType,
  type Store,
  createLogger,
  keyOf,
  keyText,
} from "../../../operator/runtime";
import { environment } from "./fixtures";

/** A store of what was put into it. */
export class FakeStore {
  readonly objects = new Map<string, KubeObject>();
  get = (key: { namespace: string; name: string }) => this.objects.get(keyText(key));
  /** All of them are of the one Memcached there is. */
  byIndex = (): KubeObject[] => this.list();
  list = (): KubeObject[] => Array.from(this.objects.values());
  subscribe = () => () => undefined;
  put(object: KubeObject): void {
    this.objects.set(keyText(keyOf(object)), object);
  }
}

interface Change {
  metadata?: Partial<KubeObject["metadata"]>;
  spec?: object;
}

/** An API server that does as it is told, and stores that follow it at once. */
export class World {
  readonly memcacheds = new FakeStore();
  readonly deployments = new FakeStore();
  readonly statefulSets = new FakeStore();
  readonly services = new FakeStore();
  readonly disruptionBudgets = new FakeStore();
  readonly networkPolicies = new FakeStore();
  readonly pods = new FakeStore();
  readonly calls: string[] = [];
  /** Warning Events by their reason, and what Normal ones say. */
  readonly events: string[] = [];
  readonly normalEvents: string[] = [];
  /** What the next applies of a kind are answered with, instead of being done. */
  readonly refusals = new Map<string, Error>();
  /** What a GET of the Memcached finds; undefined is a 404. */
  atServer: KubeObject | undefined;
  now = 0;
  private uids = 0;

  readonly reconciler = new Reconciler({
    client: this.client(),
    events: {
      event: (_regarding, type, reason, _action, note) =>
        void (type === "Normal" ? this.normalEvents.push(`${reason}: ${note}`) : this.events.push(`${type} ${reason}`)),
    },
    stores: {
      memcacheds: this.memcacheds as unknown as Store<Memcached>,
      deployments: this.deployments as unknown as Store,
      statefulSets: this.statefulSets as unknown as Store,
      services: this.services as unknown as Store,
      disruptionBudgets: this.disruptionBudgets as unknown as Stores["disruptionBudgets"],
      networkPolicies: this.networkPolicies as unknown as Store,
      replicaSets: new FakeStore() as unknown as Store,
      pods: this.pods as unknown as Stores["pods"],
    },
    environment: () => Promise.resolve(environment),
    clock: () => this.now,
    now: () => new Date(Date.UTC(2026, 0, 1) + this.now),
  });

  pass(name = "cache"): ReturnType<Reconciler["reconcile"]> {
    const log = createLogger({ write: () => undefined });
    return this.reconciler.reconcile({ namespace: "shop", name }, { signal: new AbortController().signal, log });
  }

  /** The calls since the last look. */
  take(): string[] {
    return this.calls.splice(0);
  }

  get status(): string[] {
    const { status } = this.memcacheds.get({ namespace: "shop", name: "cache" }) as Memcached;
    return (status?.conditions ?? []).map((each) => `${each.type}=${each.status} ${each.reason}`);
  }

  private storeOf({ kind }: ResourceType): FakeStore {
    const stores: Record<string, FakeStore> = {
      Deployment: this.deployments,
      StatefulSet: this.statefulSets,
      PodDisruptionBudget: this.disruptionBudgets,
      NetworkPolicy: this.networkPolicies,
    };
    return stores[kind] ?? this.services;
  }

  private client(): Client {
    const write = async (verb: string, type: ResourceType, body: KubeObject) => {
      this.calls.push(`${verb} ${type.kind}`);
      const refusal = this.refusals.get(type.kind);
      if (refusal) throw refusal;
      const store = this.storeOf(type);
      const uid = body.metadata.uid ?? `uid-of-child-${++this.uids}`;
      const response = { ...body, metadata: { ...body.metadata, uid, generation: 1, resourceVersion: "1" } };
      store.put(response);
      return response;
    };
    const create = (type: ResourceType, body: KubeObject) => write("create", type, body);
    const apply = (type: ResourceType, body: KubeObject, { force = false }) =>
      write(force ? "apply by force" : "apply", type, body);
    const ownByApply = async (type: ResourceType) => void this.calls.push(`own by apply ${type.kind}`);
    const patchStatus = async (_type: ResourceType, key: { namespace: string; name: string }, status: object) => {
      this.calls.push("status");
      const response = { ...(this.memcacheds.get(key) as KubeObject), status };
      this.memcacheds.put(response);
      return response;
    };
    const get = async () => {
      this.calls.push("get");
      if (!this.atServer) throw new ApiError(404, "NotFound", "not found");
      return this.atServer;
    };
    const patch = async (type: ResourceType, key: { namespace: string; name: string }, change: Change) => {
      this.calls.push(`patch ${type.kind} ${JSON.stringify(change)}`);
      const old = this.storeOf(type).get(key) as KubeObject & { spec: object };
      const { resourceVersion, generation = 0 } = old.metadata;
      const metadata = { ...old.metadata, ...change.metadata, resourceVersion, generation: generation + 1 };
      const response = { ...old, metadata, spec: { ...old.spec, ...change.spec } };
      this.storeOf(type).put(response);
      return response;
    };
    const remove = async (type: ResourceType, key: { namespace: string; name: string }, options: { uid?: string }) => {
      this.calls.push(`delete ${type.kind} ${options.uid}`);
      const refusal = this.refusals.get(`delete ${type.kind}`);
      if (refusal) throw refusal;
      this.storeOf(type).objects.delete(keyText(key));
    };
    const patchScale = async (_type: ResourceType, key: { namespace: string; name: string }, change: object) => {
      this.calls.push(`scale ${JSON.stringify(change)}`);
      const refusal = this.refusals.get("Scale");
      if (refusal) throw refusal;
      const { spec: { replicas } = {} } = change as { spec?: { replicas?: number } };
      const old = this.memcacheds.get(key) as Memcached;
      if (replicas !== undefined) this.memcacheds.put({ ...old, spec: { ...old.spec, size: replicas } } as KubeObject);
    };
    return { create, apply, ownByApply, patch, patchScale, patchStatus, get, delete: remove } as unknown as Client;
  }
}
