import { collectDefaultMetrics } from "prom-client";
import type { Registry } from "prom-client";

/** process_* and nodejs_* metrics. The event-loop histogram ticks all the time, so it is slow and only there when metrics are served. */
export function processMetrics(registry: Registry): void {
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: 100 });
}
