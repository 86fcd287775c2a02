/**
 * A Kubernetes controller runtime that knows nothing of the kinds it serves, in the words of client-go and controller-runtime. To read it:
 *
 * - `types` and `errors`: what users of the runtime see.
 * - `config/`: where the API server is, and credentials that rotate.
 * - `http/`: `transport` (connections, deadlines, retries, fence), `client` (objects), `connector` and `proxyFor` (how to get there).
 * - `cache/`: `reflector` follows the API server by `watchStream`, `store` holds what it brings and the answers to our own writes.
 * - `controller/`: `queue` says which key is next, `controller` runs the passes.
 * - `leader/`, `events/`, `metrics/`, `servers/` (probes, metrics), `conditions`.
 * - `manager/`: starts all of it, and stops it in the right order.
 */
export * from "./types";
export * from "./errors";
export { type ControllerManager, Manager } from "./manager/manager";
export { heapCeilingMiB, watchHeap } from "./manager/heapWatch";
export type { ManagerOptions } from "./manager/options";
export type { Config } from "./config/config";
export { loadConfig } from "./config/load";
export { findCondition, setCondition, timestamp } from "./conditions";
export type { Condition, NewCondition } from "./conditions";
export { delayAfter } from "./backoff";
export { eventType } from "./events/recorder";
export { TokenBucket } from "./events/tokenBucket";
export { createLogger } from "./log";
export { keyFromText, keyOf, keyText } from "./object";
export { parseAddress } from "./servers/address";
export { Transport } from "./http/transport";
export { type Client, HttpClient } from "./http/client";
export type { Store } from "./cache/store";
export type { ControllerOptions, ControllerWatch, Reconcile, ReconcileContext } from "./controller/controller";
export type { EventRecorder } from "./events/recorder";
