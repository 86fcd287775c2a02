import { hostname } from "node:os";
import { Registry, collectDefaultMetrics } from "prom-client";
import type { Store } from "../cache/store";
import { Controller, type ControllerOptions } from "../controller/controller";
import { LeaderLostError } from "../errors";
import { ApiEventRecorder, type EventRecorder } from "../events/recorder";
import { type Client, HttpClient } from "../http/client";
import { Transport } from "../http/transport";
import { LeaderElector } from "../leader/leaderElector";
import { createLogger } from "../log";
import { ControllerMetrics, controllerFamilies } from "../metrics/controllerMetrics";
import { leaderMetrics } from "../metrics/leaderMetrics";
import { reflectorMetrics } from "../metrics/reflectorMetrics";
import { restClientMetrics } from "../metrics/restClientMetrics";
import { Checks } from "../servers/health";
import type { KubeObject, Logger, ResourceType, StoreOptions } from "../types";
import { Caches } from "./caches";
import { Endpoints } from "./endpoints";
import type { ManagerOptions } from "./options";
import { followSignals } from "./signals";

/** Time for the last events and for the lease, after the passes have ended. */
const farewellMs = 2_000;

/** What a manager gives to those who register controllers with it. */
export type ControllerManager = Pick<Manager, "client" | "events" | "store" | "controller">;

/**
 * Holds the parts of an operator together: starts servers, caches, then (as leader) controllers; stops them the other way round, so
 * that the lease is given up only when nothing writes any more. Lives through a missing API server, kind or permission, and says so on /readyz.
 */
export class Manager {
  readonly client: Client;
  readonly events: EventRecorder;
  readonly metrics = new Registry();
  readonly log: Logger;
  /** The ports that probes and metrics are served on, once `run` has opened them. */
  ports: { health?: number; metrics?: number } = {};
  private readonly transport: Transport;
  private readonly caches: Caches;
  private readonly recorder: ApiEventRecorder;
  private readonly elector: LeaderElector | undefined;
  private readonly endpoints: Endpoints;
  private readonly families = controllerFamilies(this.metrics);
  private readonly healthz = new Checks();
  private readonly readyz = new Checks();
  private readonly controllers: Controller[] = [];
  private stopping = false;

  constructor(private readonly options: ManagerOptions) {
    const { config, name, version = "dev", leaderElection } = options;
    this.log = options.log ?? createLogger();
    const userAgent = `${name}/${version} (${process.platform}/${process.arch}) node/${process.versions.node}`;
    const observer = restClientMetrics(this.metrics);
    const connect = () => new Transport({ config, userAgent, observer });
    this.transport = connect();
    const { healthz, readyz, metrics: registry, log } = this;
    this.endpoints = new Endpoints(options, { healthz, readyz, registry, log, connect });
    // The event-loop histogram ticks all the time, so it is slow and only there when metrics are served.
    if (this.endpoints.servesMetrics)
      collectDefaultMetrics({ register: this.metrics, eventLoopMonitoringPrecision: 100 });
    const reflectors = reflectorMetrics(this.metrics, () => this.caches.followed());
    this.caches = new Caches(this.transport, log, reflectors, options.namespaces ?? [], (scope) =>
      this.controllers.forEach((controller) => controller.retryFailed(scope)),
    );
    this.client = new HttpClient(this.transport, { observer: this.caches });
    this.recorder = new ApiEventRecorder({
      client: new HttpClient(this.transport),
      reportingController: name,
      reportingInstance: `${name}-${hostname()}`,
      log: this.log,
    });
    this.events = this.recorder;
    if (leaderElection) {
      const client = new HttpClient(this.transport, { pool: "lease", retryWaitMs: 0 });
      const observer = leaderMetrics(this.metrics, leaderElection.id);
      const elector = new LeaderElector({ ...leaderElection, client, log: this.log, observer });
      this.elector = elector;
      this.transport.fence(() => elector.writeBarrier());
    }
    this.declareChecks();
  }

  /** Registers a reflector; starts with `run`. */
  store<T extends KubeObject = KubeObject>(type: ResourceType, options?: StoreOptions<T>): Store<T> {
    return this.caches.add(type, options);
  }

  controller(options: ControllerOptions): void {
    const metrics = new ControllerMetrics(this.families, options.name);
    const { workers = 16 } = this.options;
    this.controllers.push(new Controller(options, { log: this.log, metrics, workers }));
  }

  /**
   * Serves until `signal` aborts and resolves after a clean drain. Without a signal it is the process: SIGTERM and SIGINT drain, a
   * second one exits at once, a lost lease or an unhandled rejection exits 1. Rejects with `LeaderLostError` or a bind error.
   */
  async run(signal?: AbortSignal): Promise<void> {
    if (signal) return this.serve(signal);
    const signals = followSignals(this.log);
    try {
      await this.serve(signals.signal);
    } catch (error) {
      if (!(error instanceof LeaderLostError)) throw error;
      process.exit(1);
    } finally {
      signals.undo();
    }
  }

  private async serve(signal: AbortSignal): Promise<void> {
    /** Ends the caches; later than `signal`, since passes under way still need them. */
    const background = new AbortController();
    const leading = new AbortController();
    try {
      this.ports = await this.endpoints.start();
      this.caches
        .run(background.signal)
        .catch((error: unknown) => this.log.error({ err: error }, "The caches stopped"));
      const lost = this.lead(signal, leading.signal);
      await Promise.race([aborted(signal), lost]);
      this.stopping = true;
      await Promise.race([this.drain(), lost]);
      await this.transport.endRequests();
      await this.elector?.release();
    } catch (error) {
      this.log.error({ err: error }, "Stopping at once");
      this.stopping = true;
      for (const controller of this.controllers) controller.abort(error as Error);
      throw error;
    } finally {
      leading.abort();
      background.abort();
      await this.transport.close();
      await this.endpoints.stop();
    }
  }

  /** Campaigns, then runs what only the leader may run. Never resolves; rejects when leadership is lost. */
  private async lead(signal: AbortSignal, leading: AbortSignal): Promise<never> {
    const never = new Promise<never>(() => undefined);
    if (this.elector) {
      try {
        await this.elector.acquire(signal);
      } catch (error) {
        if (signal.aborted) return never;
        throw error;
      }
    }
    if (signal.aborted) return never;
    const lease = this.elector?.lease;
    if (lease)
      this.events.event(lease, "Normal", "LeaderElection", "Acquire", `${this.elector?.identity} became leader`);
    for (const controller of this.controllers) {
      this.log.info({ controller: controller.name }, "Starting workers");
      controller.start();
    }
    // Renewing goes on while passes drain.
    await this.elector?.renew(leading);
    return never;
  }

  private async drain(): Promise<void> {
    const { gracePeriodMs: graceMs = 25_000 } = this.options;
    const late = setTimeout(() => {
      this.log.warn({ graceMs }, "Passes did not end in time, aborting them");
      for (const controller of this.controllers) controller.abort(new Error("the process is shutting down"));
    }, graceMs);
    const stopped = Promise.all(this.controllers.map((controller) => controller.stop()));
    // A pass that ignores its signal must not hold up the exit.
    const limit = new Promise((resolve) => setTimeout(resolve, graceMs + farewellMs).unref());
    await Promise.race([stopped, limit]);
    clearTimeout(late);
    await this.recorder.flush(farewellMs);
  }

  private declareChecks(): void {
    this.healthz.add("ping", () => undefined);
    this.readyz.add("shutdown", () => (this.stopping ? "shutting down" : undefined));
    this.readyz.add("caches", this.caches.check);
    const { elector } = this;
    if (!elector) return;
    this.healthz.add("leader-election", () => elector.expired());
    this.readyz.add("leader-election", () => elector.reason);
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
