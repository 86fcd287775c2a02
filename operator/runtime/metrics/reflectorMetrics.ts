import type { Registry } from "prom-client";
import type { ReflectorObserver } from "../cache/reflector";
import { families } from "./families";

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
  const { counter, gauge } = families(registry);
  const lists = counter("reflector_lists_total", "Full lists taken", ["resource"]);
  const watches = counter(
    "reflector_watches_ended_total",
    "Watches that ended, by why: timeout, silent, expired, error, empty",
    ["resource", "why"],
  );
  gauge(
    "reflector_up",
    "1 while a resource is followed in a namespace (empty: in all); 0 while it cannot be, or before its first list",
    ["resource", "namespace"],
    () => followed().map(({ up, ...labels }) => [labels, up ? 1 : 0]),
  );
  return {
    listed: (resource) => lists.labels(resource).inc(),
    watchEnded: (resource, why) => watches.labels(resource, why).inc(),
  };
}
