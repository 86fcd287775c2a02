import type { Config } from "../config/config";
import type { LeaderElectionOptions } from "../leader/leaderElector";
import type { CertificateFolder } from "../servers/secure/certificate";
import type { Logger } from "../types";

export interface MetricsOptions {
  /** "host:port", ":port" (all addresses, both families) or "0" for none. */
  bindAddress: string;
  /**
   * HTTPS, for those whom the API server lets get /metrics: asks by TokenReview and SubjectAccessReview, which this program's account must
   * be allowed to create. Default false: HTTP, for everyone.
   */
  secure?: boolean;
  /** Where the certificate lies; followed when it changes. Default: one made at the start, that nobody vouches for. */
  certificates?: CertificateFolder;
  /** Milliseconds between two looks at `certificates`. Default 10000. */
  certificateEveryMs?: number;
  /** HTTP/2 as well, when `secure`. Default false. */
  http2?: boolean;
}

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
