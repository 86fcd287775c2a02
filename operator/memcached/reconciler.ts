import { type Memcached, type MemcachedStatus, withDefaults } from "../../api";
import type { Client, EventRecorder, Key, Logger, Reconcile } from "../runtime";
import { isApiError, keyOf, keyText } from "../runtime";
import { type Stores, memcachedOf, workloadOf } from "./stores";
import type { Child, Environment } from "./children/child";
import { service } from "./children/service";
import { formerKind, workloads } from "./children/workloads";
import { type ChildResults, hasTakenOver, isTakingOver, observe } from "./observe";
import { ownerReference } from "./owner";
import { fillSize, sizeLeftOpen } from "./size";
import { newWarning } from "./status/events";
import { EndedPods } from "./status/endedPods";
import { NormalEvents, regarding } from "./status/normalEvents";
import { WriteThrottle } from "./status/writeThrottle";
import { statusOf } from "./status/status";
import { ChildReconciler, type Pass } from "./sync/childReconciler";
import { DriftDetector } from "./sync/drift";
import { MissingPods } from "./status/missingPods";
import { desiredChild } from "./sync/desired";
import { type WorkloadKind, memcachedType } from "./types";

/** A namespace that goes takes its resources with it; until then it is asked for nothing. */
const namespaceRetryMs = 30_000;

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
  private readonly workloads: Record<WorkloadKind, ChildReconciler>;
  private readonly service: ChildReconciler;
  private readonly podRefusals: MissingPods;
  private readonly pacer: WriteThrottle;
  private readonly failedPods: EndedPods;
  private readonly normalEvents: NormalEvents;
  private readonly endingNamespaces = new Map<string, number>();

  constructor(private readonly options: ReconcilerOptions) {
    const { stores, client, clock = () => performance.now() } = options;
    const gate = new DriftDetector();
    this.clock = clock;
    this.workloads = {
      Deployment: new ChildReconciler(workloads.Deployment, stores.deployments, client, gate, clock),
      StatefulSet: new ChildReconciler(workloads.StatefulSet, stores.statefulSets, client, gate, clock),
    };
    this.service = new ChildReconciler(service, stores.services, client, gate, clock);
    this.podRefusals = new MissingPods(client, clock);
    this.pacer = new WriteThrottle(clock);
    this.normalEvents = new NormalEvents(options.events, clock);
    this.failedPods = new EndedPods(() => this.now());
    stores.pods.subscribe(({ type, object }) => {
      // Pods that ended go with their Memcached, of which nothing must be remembered.
      if (type === "deleted") return;
      for (const key of memcachedOf(object)) this.failedPods.saw(keyText(key), object);
    });
  }

  readonly reconcile: Reconcile = async (key, { signal, log }) => {
    let memcached = this.options.stores.memcacheds.get(key);
    if (!memcached) {
      log.info("memcached resource not found. Ignoring since object must be deleted");
      this.forget(key);
      return;
    }
    if (memcached.metadata.deletionTimestamp) return;
    const endingMs = this.namespaceEndingMs(key.namespace);
    if (endingMs > 0) return { requeueAfterMs: endingMs };
    if (memcached.spec?.size === undefined) {
      const size = sizeLeftOpen(memcached, this.options.stores);
      if (await fillSize(this.options.client, memcached, size, { signal, log })) return;
      memcached = { ...memcached, spec: { ...memcached.spec, size } };
    }

    const results = await this.children(memcached, log, signal);
    const all = Object.values(results);
    const endings = all.map(({ ending }) => ending);
    if (endings.includes("owner")) return;
    if (endings.includes("namespace")) {
      log.info("The namespace is being deleted: nothing more is created in it");
      this.endingNamespaces.set(key.namespace, this.clock() + namespaceRetryMs);
      return { requeueAfterMs: namespaceRetryMs };
    }
    // What was wanted has not arrived, so that nothing true can be said about it yet: the pass comes again with backoff.
    const errors = all.map(({ error }) => error).filter((error) => error !== undefined);
    if (errors.length > 0) throw errors[0];

    const statusMs = await this.status(memcached, results, signal);
    const waits = [...statusMs, ...all.map(({ retryAfterMs }) => retryAfterMs)];
    const soonest = Math.min(...waits.filter((ms) => ms !== undefined));
    return Number.isFinite(soonest) ? { requeueAfterMs: soonest } : undefined;
  };

  /** All children at once: one that fails never stops the others. */
  private async children(memcached: Memcached, log: Logger, signal: AbortSignal): Promise<ChildResults> {
    const environment = await this.options.environment();
    const { metadata, status } = memcached;
    let ownerExists: Promise<boolean> | undefined;
    const pass: Pass = {
      ...{ log, signal },
      ownerExists: () => (ownerExists ??= this.ownerExists(memcached, signal)),
      isGenerationObserved: status?.observedGeneration === metadata.generation,
      namesImage: memcached.spec?.image !== undefined,
      tell: this.normalEvents.of(memcached),
    };
    const { workload: kind } = withDefaults(memcached.spec);
    const formerly = this.workloads[formerKind[kind]];
    const adoption = await formerly.adopt(keyOf(memcached), ownerReference(memcached), pass);
    const takesOver = isTakingOver(memcached, this.options.stores);
    const wanted = (child: Child) => desiredChild(memcached, child, environment, takesOver);
    const [workloadResult, serviceResult] = await Promise.all([
      this.workloads[kind].sync(wanted(workloads[kind]), pass),
      this.service.sync(wanted(service), pass),
    ]);
    // The servers of before stay until those that are wanted now can take their place.
    const former = hasTakenOver(memcached, this.options.stores)
      ? await formerly.remove(keyOf(memcached), metadata.uid, pass, `which the ${kind} has taken over from`)
      : adoption;
    const made = kind === "StatefulSet" ? workloadOf(this.options.stores, kind, memcached) : undefined;
    const pods = await this.podRefusals.of(keyText(keyOf(memcached)), made, signal);
    return { workload: workloadResult, service: serviceResult, former, pods };
  }

  private async ownerExists(memcached: Memcached, signal: AbortSignal): Promise<boolean> {
    try {
      const current = await this.options.client.get(memcachedType, keyOf(memcached), { signal });
      return current.metadata.uid === memcached.metadata.uid && !current.metadata.deletionTimestamp;
    } catch (error) {
      if (isApiError(error, 404)) return false;
      throw error;
    }
  }

  /** Writes the status if it is due. Gives the milliseconds until it is, and until it has to be another. */
  private async status(memcached: Memcached, results: ChildResults, signal: AbortSignal): Promise<number[]> {
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
    const { state, pods, changesInMs } = observe(acted, results, stores, this.failedPods, now);
    const next = statusOf(acted, state, pods, clusterDomain, now);
    if (!next) return [];
    const later = changesInMs === undefined ? [] : [changesInMs];
    const pace = this.pacer.pace(keyText(key), before, next);
    if (pace === "unchanged") return later;
    if (pace !== "now") return [pace, ...later];
    try {
      await client.patchStatus(memcachedType, key, next, { signal });
    } catch (error) {
      if (isApiError(error, 404)) return [];
      throw error;
    }
    this.pacer.written(keyText(key));
    this.report(memcached, before, next);
    return later;
  }

  private now(): Date {
    return this.options.now?.() ?? new Date();
  }

  private report(memcached: Memcached, before: MemcachedStatus | undefined, next: MemcachedStatus): void {
    const trouble = newWarning(before, next);
    if (!trouble) return;
    this.options.events.event(regarding(memcached), "Warning", trouble.reason, "Reconcile", trouble.message);
  }

  private namespaceEndingMs(namespace: string): number {
    const until = this.endingNamespaces.get(namespace);
    if (until === undefined) return 0;
    const ms = until - this.clock();
    if (ms <= 0) this.endingNamespaces.delete(namespace);
    return ms;
  }

  private forget(key: Key): void {
    for (const workload of Object.values(this.workloads)) workload.forget(key);
    this.service.forget(key);
    this.podRefusals.forget(keyText(key));
    this.pacer.forget(keyText(key));
    this.failedPods.forget(keyText(key));
    this.normalEvents.forget(keyText(key));
    this.endingNamespaces.delete(key.namespace);
  }
}
