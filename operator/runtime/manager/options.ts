import type { Config } from "../config/config";
import type { LeaderElectionOptions, Logger, MetricsOptions } from "../types";

export interface ManagerOptions {
  config: Config;
  /** Names this program in the User-Agent and as reportingController of events, e.g. "memcached-operator". */
  name: string;
  version?: string;
  /** Namespaces to watch. Default and []: all. */
  namespaces?: string[];
  /** Left out: no election, this process is the only one. */
  leaderElection?: LeaderElectionOptions;
  /** Default: none. */
  metrics?: MetricsOptions;
  /** Where /healthz and /readyz are. Default: nowhere. */
  healthProbeBindAddress?: string;
  /** Default: JSON on stderr. */
  log?: Logger;
  /** Passes at a time for each controller. Default 16. */
  workers?: number;
  /** Milliseconds that passes get to end at shutdown. Default 25000. */
  gracePeriodMs?: number;
}

export const defaultWorkers = 16;
export const defaultGracePeriodMs = 25_000;
