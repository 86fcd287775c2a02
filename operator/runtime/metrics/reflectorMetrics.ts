import { Counter, Gauge } from "prom-client";
import type { Registry } from "prom-client";
import type { ReflectorObserver } from "../cache/reflector";

/** One kind in one scope, and whether its cache is like the API server at the moment. */
export interface Followed {
  resource: string;
  /** "" for all namespaces, or a kind without. */
  namespace: string;
  up: boolean;
}

/**
 * Counts full lists and ended watches; a growing "silent" or "error" tells of a broken path to the API server. `followed` is asked whenever
 * metrics are.
 */
export function reflectorMetrics(registry: Registry, followed: () => Followed[]): ReflectorObserver {
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
  new Gauge({
    name: "reflector_up",
    help: "1 while a resource is followed in a namespace (empty: in all); 0 while it cannot be, or before its first list",
    labelNames: ["resource", "namespace"],
    registers,
    collect() {
      for (const { up, ...labels } of followed()) this.set(labels, up ? 1 : 0);
    },
  });
  return {
    listed: (resource) => lists.labels(resource).inc(),
    watchEnded: (resource, why) => watches.labels(resource, why).inc(),
  };
}
