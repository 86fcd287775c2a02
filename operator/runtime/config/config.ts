/** What TLS needs. */
export interface TlsMaterial {
  ca?: string;
  cert?: string;
  key?: string;
  servername?: string;
  rejectUnauthorized?: boolean;
}

/** Where the API server is and how to be let in. Credentials are asked for when needed, since they rotate. */
export interface Config {
  /** Scheme, host (IPv6 in brackets), port and an optional path prefix, without a trailing slash. */
  server: string;
  /** True when this process runs in a pod of that cluster, by the pod's own service account. */
  inCluster?: true;
  /** The context's or the pod's own namespace, when known. */
  namespace?: string;
  /** An HTTP(S) proxy to use whatever the environment says. */
  proxyUrl?: string;
  /** What the next connection is opened with. Rejects when a file cannot be read. */
  tls(): Promise<TlsMaterial>;
  /** The Authorization header, if there is one; with `refresh` read anew from its source, after a 401. */
  authorization(refresh?: boolean): Promise<string | undefined>;
}
