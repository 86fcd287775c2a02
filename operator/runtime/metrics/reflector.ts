import { Counter } from "prom-client";
import type { Registry } from "prom-client";
import type { ReflectorObserver } from "../cache/reflector";

/** Counts full lists and ended watches; a growing "silent" or "error" tells of a broken path to the API server. */
export function reflectorMetrics(registry: Registry): ReflectorObserver {
  const registers = [registry];
  const lists = new Counter({
    name: "reflector_lists_total",
    help: "Full lists taken",
    labelNames: ["resource"],
    registers,
  });
  const watches = new Counter({
    name: "reflector_watches_ended_total",
    help: "Watches that ended, by why: timeout, silent, expired, error, empty",
    labelNames: ["resource", "why"],
    registers,
  });
  return {
    listed: (resource) => lists.labels(resource).inc(),
    watchEnded: (resource, why) => watches.labels(resource, why).inc(),
  };
}
