import { type Memcached, withDefaults } from "../../api";
import type { Client, EventRecorder, Key, Reconcile, ReconcileContext, Store } from "../runtime";
import { isApiError, keyOf, keyText } from "../runtime";
import { wantsBudget } from "./budgets";
import type { Child, Environment } from "./children/child";
import { disruptionBudget } from "./children/disruptionBudget";
import { networkPolicy } from "./children/networkPolicy";
import { service } from "./children/service";
import { formerKind, workloads } from "./children/workloads";
import { MemcachedEvents } from "./events";
import { type ChildResults, hasTakenOver, isTakingOver, observe, workloadPods } from "./observe";
import { fillSize, sizeLeftOpen } from "./size";
import type { KeyState } from "./state";
import { preventsStart } from "./secrets/check";
import { lookAtSecrets } from "./secrets/reader";
import { rememberEnded } from "./status/endedPods";
import type { Problem } from "./status/observedState";
import { missingPods } from "./status/missingPods";
import { statusOf } from "./status/status";
import { unmounted } from "./status/unmounted";
import { noteWritten, throttle } from "./status/writeThrottle";
import { type Stores, byInstance, memcachedOf, workloadOf } from "./stores";
import { ChildReconciler, type Pass } from "./sync/childReconciler";
import { desiredChild } from "./sync/desired";
import { TerminatingNamespaces } from "./terminatingNamespaces";
import { type WorkloadKind, memcachedType } from "./types";

export interface ReconcilerOptions {
  client: Client;
  events: EventRecorder;
  stores: Stores;
  /** Must return the same object as long as nothing in it changes. */
  environment: () => Promise<Environment>;
  /** Monotonic milliseconds; for tests. */
  clock?: () => number;
  /** The wall clock; for tests. */
  now?: () => Date;
}

/** One pass reads the stores, and brings the children and the status of one Memcached to the desired state. */
export class Reconciler {
  private readonly clock: () => number;
  private readonly now: () => Date;
  private readonly workloads: Record<WorkloadKind, ChildReconciler>;
  private readonly service: ChildReconciler;
  private readonly disruptionBudget: ChildReconciler;
  private readonly networkPolicy: ChildReconciler;
  private readonly events: MemcachedEvents;
  private readonly terminatingNamespaces: TerminatingNamespaces;
  private readonly states = new Map<string, KeyState>();

  constructor(private readonly options: ReconcilerOptions) {
    const { stores, client, events, clock = () => performance.now(), now = () => new Date() } = options;
    this.clock = clock;
    this.now = now;
    this.workloads = {
      Deployment: new ChildReconciler(workloads.Deployment, stores.deployments, client, clock),
      StatefulSet: new ChildReconciler(workloads.StatefulSet, stores.statefulSets, client, clock),
    };
    this.service = new ChildReconciler(service, stores.services, client, clock);
    this.disruptionBudget = new ChildReconciler(disruptionBudget, stores.disruptionBudgets as Store, client, clock);
    this.networkPolicy = new ChildReconciler(networkPolicy, stores.networkPolicies, client, clock);
    this.events = new MemcachedEvents(events, clock);
    this.terminatingNamespaces = new TerminatingNamespaces(clock);
    stores.pods.subscribe(({ type, object }) => {
      if (type === "deleted") return;
      for (const key of memcachedOf(object)) rememberEnded(this.states.get(keyText(key))?.endedPods, object);
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

    const state = this.stateOf(keyText(key));
    const results = await this.applyChildren(memcached, state, context);
    const { workload, others, former, pods, secrets } = results;
    const all = [workload, ...others, former, pods];
    const terminating = all.map((result) => result.terminating);
    if (terminating.includes("owner")) return;
    if (terminating.includes("namespace")) {
      log.info("The namespace is being deleted: nothing is created in it any more");
      return { requeueAfterMs: this.terminatingNamespaces.add(key.namespace) };
    }
    // A child may or may not have been written, so the status cannot be known: the pass is repeated with backoff.
    const errors = all.map(({ error }) => error).filter((error) => error !== undefined);
    if (errors.length > 0) throw errors[0];

    const statusMs = await this.updateStatus(memcached, state, results, context.signal);
    const waits = [...statusMs, ...[...all, secrets].map((result) => result?.retryAfterMs)].filter(
      (ms) => ms !== undefined,
    );
    return waits.length > 0 ? { requeueAfterMs: Math.min(...waits) } : undefined;
  };

  /** The Memcached with a size in its spec; undefined if a size was just written, which the watch delivers. */
  private async withSize(memcached: Memcached, context: ReconcileContext): Promise<Memcached | undefined> {
    if (memcached.spec?.size !== undefined) return memcached;
    const size = sizeLeftOpen(memcached, this.options.stores);
    if (await fillSize(this.options.client, memcached, size, context)) return undefined;
    return { ...memcached, spec: { ...memcached.spec, size } };
  }

  /** Reconciles all children, so that a failure of one does not stop the others. */
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
    const secrets = await lookAtSecrets(memcached, state, client, this.now(), context.signal);
    const apply = (reconciler: ChildReconciler, child: Child, heldBy?: Problem) =>
      reconciler.reconcile(desiredChild(memcached, child, environment, takesOver), pass, heldBy);
    const applyIf = (isDesired: boolean, reconciler: ChildReconciler, child: Child) =>
      isDesired ? apply(reconciler, child) : reconciler.remove(pass, "which is no longer desired");
    const isClosed = memcached.spec?.networkPolicy !== undefined;
    const [workloadResult, ...others] = await Promise.all([
      // Servers that run are not replaced by ones that could not start.
      apply(this.workloads[kind], workloads[kind], secrets && preventsStart(secrets.report)),
      apply(this.service, service),
      applyIf(wantsBudget(memcached, stores), this.disruptionBudget, disruptionBudget),
      applyIf(isClosed, this.networkPolicy, networkPolicy),
    ]);
    // The old workload stays until the new one is rolled out.
    const formerResult = hasTakenOver(memcached, stores)
      ? await former.remove(pass, `replaced by the ${kind}`)
      : adoption;
    const statefulSet = kind === "StatefulSet" ? workloadOf(stores, kind, memcached) : undefined;
    const pods = await missingPods(statefulSet, state, client, this.clock(), context.signal);
    const waiting = secrets ? workloadPods(memcached, stores) : [];
    const withoutVolumes = await unmounted(waiting, client, this.now(), context.signal);
    return { workload: workloadResult, others, former: formerResult, pods, secrets, unmounted: withoutVolumes };
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

  /** Writes the status if it is due. Returns the milliseconds until it is due, and until it changes without any event. */
  private async updateStatus(
    memcached: Memcached,
    state: KeyState,
    results: ChildResults,
    signal: AbortSignal,
  ): Promise<number[]> {
    const { stores, client } = this.options;
    const { clusterDomain } = await this.options.environment();
    const key = keyOf(memcached);
    // The Memcached may have been deleted or recreated while the children were written.
    const current = stores.memcacheds.get(key);
    if (!current || current.metadata.uid !== memcached.metadata.uid) return [];
    const { status: before } = current;
    const { deletionTimestamp } = current.metadata;
    const latest = { ...memcached, metadata: { ...memcached.metadata, deletionTimestamp }, status: before };
    const now = this.now();
    const { state: observed, pods, changesInMs } = observe(latest, results, stores, state.endedPods, now);
    const next = statusOf(latest, observed, pods, clusterDomain, now);
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

  private stateOf(key: string): KeyState {
    const known = this.states.get(key);
    if (known) return known;
    const state: KeyState = { children: {}, endedPods: [], statusWrites: {} };
    for (const pod of this.options.stores.pods.byIndex(byInstance, key)) rememberEnded(state.endedPods, pod);
    this.states.set(key, state);
    return state;
  }

  private forget(key: Key): void {
    this.states.delete(keyText(key));
    const { namespace } = key;
    if (this.terminatingNamespaces.waitMs(namespace) === 0) return;
    const isEmpty = !this.options.stores.memcacheds.list().some(({ metadata }) => metadata.namespace === namespace);
    if (isEmpty) this.terminatingNamespaces.emptied(namespace);
  }
}
