import { type Memcached, withDefaults } from "../../api";
import type { Client, EventRecorder, Key, Reconcile, ReconcileContext } from "../runtime";
import { isApiError, keyOf } from "../runtime";
import type { Environment } from "./children/child";
import { service } from "./children/service";
import { formerKind, workloads } from "./children/workloads";
import { MemcachedEvents } from "./events";
import { type ChildResults, hasTakenOver, isTakingOver, observe } from "./observe";
import { fillSize, sizeLeftOpen } from "./size";
import { type KeyState, KeyStates } from "./state";
import { endedPod, rememberEnded } from "./status/endedPods";
import { missingPods } from "./status/missingPods";
import { statusOf } from "./status/status";
import { noteWritten, throttle } from "./status/writeThrottle";
import { type Stores, memcachedOf, workloadOf } from "./stores";
import { ChildReconciler, type Pass } from "./sync/childReconciler";
import { desiredChild } from "./sync/desired";
import { TerminatingNamespaces } from "./terminatingNamespaces";
import { type WorkloadKind, memcachedType } from "./types";

export interface ReconcilerOptions {
  client: Client;
  events: EventRecorder;
  stores: Stores;
  /** The same object as long as nothing in it has changed. */
  environment: () => Promise<Environment>;
  /** Milliseconds that only go forward; for tests. */
  clock?: () => number;
  /** The wall clock; for tests. */
  now?: () => Date;
}

/** Stores in, writes out: one pass brings the children and the status of one Memcached to what they should be. */
export class Reconciler {
  private readonly clock: () => number;
  private readonly now: () => Date;
  private readonly workloads: Record<WorkloadKind, ChildReconciler>;
  private readonly service: ChildReconciler;
  private readonly events: MemcachedEvents;
  private readonly terminatingNamespaces: TerminatingNamespaces;
  private readonly states = new KeyStates();

  constructor(private readonly options: ReconcilerOptions) {
    const { stores, client, events, clock = () => performance.now(), now = () => new Date() } = options;
    this.clock = clock;
    this.now = now;
    this.workloads = {
      Deployment: new ChildReconciler(workloads.Deployment, stores.deployments, client, clock),
      StatefulSet: new ChildReconciler(workloads.StatefulSet, stores.statefulSets, client, clock),
    };
    this.service = new ChildReconciler(service, stores.services, client, clock);
    this.events = new MemcachedEvents(events, clock);
    this.terminatingNamespaces = new TerminatingNamespaces(clock);
    stores.pods.subscribe(({ type, object }) => {
      // Pods that ended go with their Memcached, of which nothing must be remembered.
      const ended = type === "deleted" ? undefined : endedPod(object);
      if (ended) for (const key of memcachedOf(object)) rememberEnded(this.states.ofLabel(key).endedPods, ended);
    });
  }

  readonly reconcile: Reconcile = async (key, context) => {
    const { log } = context;
    const found = this.options.stores.memcacheds.get(key);
    if (!found) {
      log.info("memcached resource not found. Ignoring since object must be deleted");
      this.forget(key);
      return;
    }
    if (found.metadata.deletionTimestamp) return;
    const waitMs = this.terminatingNamespaces.waitMs(key.namespace);
    if (waitMs > 0) return { requeueAfterMs: waitMs };
    const memcached = await this.withSize(found, context);
    if (!memcached) return;

    const state = this.states.of(key);
    const results = await this.applyChildren(memcached, state, context);
    const all = Object.values(results);
    const terminating = all.map((result) => result.terminating);
    if (terminating.includes("owner")) return;
    if (terminating.includes("namespace")) {
      log.info("The namespace is being deleted: nothing is created in it any more");
      return { requeueAfterMs: this.terminatingNamespaces.add(key.namespace) };
    }
    // The desired state has not arrived, so that nothing true can be said about it yet: the pass comes again with backoff.
    const errors = all.map(({ error }) => error).filter((error) => error !== undefined);
    if (errors.length > 0) throw errors[0];

    const statusMs = await this.updateStatus(memcached, state, results, context.signal);
    const waits = [...statusMs, ...all.map(({ retryAfterMs }) => retryAfterMs)].filter((ms) => ms !== undefined);
    return waits.length > 0 ? { requeueAfterMs: Math.min(...waits) } : undefined;
  };

  /** The Memcached with a size in its spec; undefined when one has just been written into it, which the watch will bring. */
  private async withSize(memcached: Memcached, context: ReconcileContext): Promise<Memcached | undefined> {
    if (memcached.spec?.size !== undefined) return memcached;
    const size = sizeLeftOpen(memcached, this.options.stores);
    if (await fillSize(this.options.client, memcached, size, context)) return undefined;
    return { ...memcached, spec: { ...memcached.spec, size } };
  }

  /** All children at once: one that fails never stops the others. */
  private async applyChildren(memcached: Memcached, state: KeyState, context: ReconcileContext): Promise<ChildResults> {
    const { stores, client } = this.options;
    const environment = await this.options.environment();
    let exists: Promise<boolean> | undefined;
    const pass: Pass = {
      ...context,
      memcached,
      children: state.children,
      ownerExists: () => (exists ??= this.exists(memcached, context.signal)),
      recordEvent: this.events.normal(memcached, state),
    };
    const { workload: kind } = withDefaults(memcached.spec);
    const former = this.workloads[formerKind[kind]];
    const adoption = await former.adopt(pass);
    const takesOver = isTakingOver(memcached, stores);
    const [workloadResult, serviceResult] = await Promise.all([
      this.workloads[kind].reconcile(desiredChild(memcached, workloads[kind], environment, takesOver), pass),
      this.service.reconcile(desiredChild(memcached, service, environment, takesOver), pass),
    ]);
    // The servers of before stay until those that are desired now can take their place.
    const formerResult = hasTakenOver(memcached, stores)
      ? await former.remove(pass, `replaced by the ${kind}`)
      : adoption;
    const statefulSet = kind === "StatefulSet" ? workloadOf(stores, kind, memcached) : undefined;
    const pods = await missingPods(statefulSet, state, client, this.clock(), context.signal);
    return { workload: workloadResult, service: serviceResult, former: formerResult, pods };
  }

  private async exists(memcached: Memcached, signal: AbortSignal): Promise<boolean> {
    try {
      const current = await this.options.client.get(memcachedType, keyOf(memcached), { signal });
      return current.metadata.uid === memcached.metadata.uid && !current.metadata.deletionTimestamp;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }

  /** Writes the status if it is due. Gives the milliseconds until it is, and until it has to be another. */
  private async updateStatus(
    memcached: Memcached,
    state: KeyState,
    results: ChildResults,
    signal: AbortSignal,
  ): Promise<number[]> {
    const { stores, client } = this.options;
    const { clusterDomain } = await this.options.environment();
    const key = keyOf(memcached);
    // It may have been deleted, even made anew, while the children were written.
    const current = stores.memcacheds.get(key);
    if (current?.metadata.uid !== memcached.metadata.uid) return [];
    const before = current?.status;
    const { deletionTimestamp } = current?.metadata ?? {};
    const acted = { ...memcached, metadata: { ...memcached.metadata, deletionTimestamp }, status: before };
    const now = this.now();
    const { state: observed, pods, changesInMs } = observe(acted, results, stores, state.endedPods, now);
    const next = statusOf(acted, observed, pods, clusterDomain, now);
    if (!next) return [];
    const later = changesInMs === undefined ? [] : [changesInMs];
    const due = throttle(before, next, state.statusWrites, this.clock());
    if (due === "unchanged") return later;
    if (due !== "now") return [due, ...later];
    try {
      await client.patchStatus(memcachedType, key, next, { signal });
    } catch (error) {
      if (isApiError(error, 404)) return [];
      throw error;
    }
    noteWritten(state.statusWrites, this.clock());
    this.events.warning(memcached, before, next);
    return later;
  }

  private forget(key: Key): void {
    this.states.forget(key);
    const { namespace } = key;
    if (this.terminatingNamespaces.waitMs(namespace) === 0) return;
    const isEmpty = !this.options.stores.memcacheds.list().some(({ metadata }) => metadata.namespace === namespace);
    if (isEmpty) this.terminatingNamespaces.emptied(namespace);
  }
}
