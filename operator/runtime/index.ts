/** A Kubernetes controller runtime. Knows nothing of the kinds it serves. */
export * from "./types";
export * from "./errors";
export { Manager } from "./manager/manager";
export type { ManagerOptions } from "./manager/options";
export { loadConfig } from "./config/config";
export type { Config, LoadOptions } from "./config/config";
export { findCondition, setCondition, timestamp } from "./conditions";
export type { Condition, NewCondition } from "./conditions";
export { createLogger } from "./log";
export type { LogOptions } from "./log";
export { keyFromText, keyOf, keyText } from "./object";
export { parseAddress } from "./servers/address";
export { Transport } from "./http/transport";
export { HttpClient } from "./http/client";
