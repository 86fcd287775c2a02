import type { Counter, Histogram, Registry } from "prom-client";
import type { Priority, QueueObserver, WorkQueue } from "../controller/queue";
import { families } from "./families";

export type ReconcileResult = "success" | "error" | "requeue_after";

interface Watched {
  controller: string;
  queue: WorkQueue;
  active: () => number;
}

type Families = ReturnType<typeof controllerFamilies>;

const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];
const queueBuckets = Array.from({ length: 12 }, (_, n) => 1e-8 * 10 ** n);
/** controller-runtime's numbers for the two priorities. */
const priorities: [Priority, string][] = [
  ["high", "0"],
  ["low", "-100"],
];

/** What one controller counts. */
export class ControllerMetrics {
  readonly queue: QueueObserver;
  private readonly totals: Record<ReconcileResult, Counter.Internal>;
  private readonly errors: Counter.Internal;
  private readonly panics: Counter.Internal;
  private readonly seconds: Histogram.Internal<string>;

  constructor(
    private readonly families: Families,
    private readonly controller: string,
  ) {
    const total = (result: ReconcileResult) => start(families.total.labels({ controller, result }));
    this.totals = { success: total("success"), error: total("error"), requeue_after: total("requeue_after") };
    this.errors = start(families.errors.labels({ controller }));
    this.panics = start(families.panics.labels({ controller }));
    this.seconds = families.seconds.labels({ controller });
    const labels = { name: controller, controller };
    const adds = start(families.adds.labels(labels));
    const retries = start(families.retries.labels(labels));
    const waited = families.waited.labels(labels);
    const worked = families.worked.labels(labels);
    this.queue = {
      added: () => adds.inc(),
      retried: () => retries.inc(),
      started: (ms) => waited.observe(ms / 1000),
      finished: (ms) => worked.observe(ms / 1000),
    };
  }

  /** Reads the gauges off the queue whenever metrics are asked for. */
  watch(queue: WorkQueue, active: () => number, workers: number): void {
    this.families.watched.push({ controller: this.controller, queue, active });
    this.families.maxConcurrent.labels({ controller: this.controller }).set(workers);
  }

  reconciled(result: ReconcileResult, ms: number): void {
    this.totals[result].inc();
    this.seconds.observe(ms / 1000);
  }

  /** Every failure is an error; a programming error is what Go would call a panic besides. */
  failed(isBug: boolean): void {
    this.errors.inc();
    if (isBug) this.panics.inc();
  }
}

/** The metrics that all controllers of a manager share, under controller-runtime's names. */
export function controllerFamilies(registry: Registry) {
  const { counter, histogram, gauge } = families(registry);
  const watched: Watched[] = [];
  /** A gauge that is read off each controller. */
  const readOff = (name: string, help: string, labelNames: string[], value: (each: Watched) => [object, number][]) =>
    gauge(name, help, labelNames, () => watched.flatMap(value));
  const reconcile = "controller_runtime_reconcile";
  const own = ["controller"];
  const queue = ["name", "controller"];
  const queueOf = ({ controller }: Watched) => ({ name: controller, controller });
  readOff("controller_runtime_active_workers", "Workers in use", own, ({ controller, active }) => [
    [{ controller }, active()],
  ]);
  readOff("workqueue_depth", "Keys that wait", [...queue, "priority"], (each) =>
    priorities.map(([priority, value]) => [{ ...queueOf(each), priority: value }, each.queue.depth(priority)]),
  );
  readOff("workqueue_unfinished_work_seconds", "Time spent so far on work under way", queue, (each) => [
    [queueOf(each), each.queue.workingMs().reduce((sum, ms) => sum + ms, 0) / 1000],
  ]);
  readOff("workqueue_longest_running_processor_seconds", "Age of the oldest work under way", queue, (each) => [
    [queueOf(each), Math.max(0, ...each.queue.workingMs()) / 1000],
  ]);
  return {
    watched,
    total: counter(`${reconcile}_total`, "Reconciliations by controller and result", [...own, "result"]),
    errors: counter(`${reconcile}_errors_total`, "Failed reconciliations", own),
    panics: counter(`${reconcile}_panics_total`, "Reconciliations that failed by a programming error", own),
    seconds: histogram(`${reconcile}_time_seconds`, "Length of a reconciliation", own, reconcileBuckets),
    maxConcurrent: gauge("controller_runtime_max_concurrent_reconciles", "Workers of a controller", own),
    adds: counter("workqueue_adds_total", "Keys queued", queue),
    retries: counter("workqueue_retries_total", "Keys queued after a failure", queue),
    waited: histogram("workqueue_queue_duration_seconds", "Time a key waits", queue, queueBuckets),
    worked: histogram("workqueue_work_duration_seconds", "Time work on a key takes", queue, queueBuckets),
  };
}

/** Shows a counter as 0 from the beginning, so that rates have a start. */
function start(counter: Counter.Internal): Counter.Internal {
  counter.inc(0);
  return counter;
}
