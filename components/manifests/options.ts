import type { Input } from "@pulumi/pulumi";
import type { core } from "@pulumi/kubernetes/types/input";

/** The HTTP proxy of the operator and of the caches' pods. */
export interface ProxyArgs {
  /**
   * Proxy for http URLs.
   * @example "http://proxy.example.com:3128"
   */
  httpProxy?: Input<string>;
  /**
   * Proxy for https URLs.
   * @example "http://proxy.example.com:3128"
   */
  httpsProxy?: Input<string>;
  /**
   * Hosts, domain suffixes and CIDRs without the proxy, separated by commas.
   * @example ".svc,.cluster.local,10.0.0.0/8"
   */
  noProxy?: Input<string>;
}

/** The operator's Prometheus metrics. */
export interface MetricsArgs {
  /**
   * Whether the operator serves metrics, with a Service. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  enabled?: boolean;
  /**
   * Whether the metrics are served over HTTPS, to accounts with the ClusterRole `memcached-operator-metrics-reader`. If false, over
   * HTTP to everyone who can reach the pod. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  secure?: boolean;
  /**
   * Port of the metrics, of the pod and of the Service.
   * Defaults to 8443, or to 8080 if `secure` is false.
   * @example 9443
   */
  port?: Input<number>;
  /**
   * Name of a Secret of type kubernetes.io/tls in the operator's namespace, with the certificate for the metrics. A renewed
   * certificate is used without a restart.
   * Defaults to none: a self-signed certificate.
   * @example "metrics-server-cert"
   */
  certSecret?: Input<string>;
}

/** Arguments of the operator's objects without the CRD. The defaults are those of `deploy/install.yaml`. */
export interface OperatorManifestArgs {
  /**
   * The operator's image: a published one, or that of an `OperatorImage`.
   * @example "registry.example.com/memcached-operator:0.1.0"
   */
  image: Input<string>;
  /**
   * Image of the memcached servers, for resources without `image`.
   * Defaults to the official memcached image, in the version that this release was tested with.
   * @example "registry.example.com/memcached:1.6.45"
   */
  operandImage?: Input<string>;
  /**
   * Namespace of the operator.
   * Defaults to "memcached-operator-system".
   * @example "caches-system"
   */
  namespace?: Input<string>;
  /**
   * Whether to create the namespace; false if it already exists. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  createNamespace?: boolean;
  /**
   * Prefix of the names of all objects. A second operator in one cluster needs another prefix, another namespace and other
   * `watchNamespaces`. At most 29 characters. Must be known when the program runs.
   * Defaults to "memcached-operator-".
   * @example "team-a-"
   */
  namePrefix?: string;
  /**
   * The namespaces whose caches this operator runs. The operator gets a Role in each of them, and no permissions elsewhere. The
   * length of the list must be known when the program runs.
   * Defaults to all namespaces.
   * @example ["team-a", "team-b"]
   */
  watchNamespaces?: Input<string>[];
  /**
   * The namespaces whose Secrets and ConfigMaps the operator may read, to report missing or wrong ones before it replaces servers;
   * `["*"]` means all namespaces. It reads only those that `spec.tls` and `spec.auth` name. The length of the list must be known
   * when the program runs.
   * Defaults to none: a missing or wrong one is reported only when a server starts.
   * @example ["shop"]
   */
  secretAccess?: Input<string>[];
  /**
   * Domain of the cluster's DNS, for the addresses of caches.
   * Defaults to the domain in the resolv.conf of the operator's pod, otherwise to "cluster.local".
   * @example "cluster.example.com"
   */
  clusterDomain?: Input<string>;
  /**
   * Number of operator pods. More than one requires leader election: one pod is active, the others stand by.
   * Defaults to 1.
   * @example 2
   */
  replicas?: Input<number>;
  /**
   * CPU and memory of an operator pod. Its heap may use three quarters of the memory limit, and it logs when that is nearly full.
   * Defaults to requests of 10m CPU and 64Mi, limits of 500m CPU and 256Mi.
   * @example { limits: { memory: "512Mi" } }
   */
  resources?: Input<core.v1.ResourceRequirements>;
  /**
   * Names of the Secrets, in the operator's namespace, for pulling its image.
   * @example ["registry-credentials"]
   */
  imagePullSecrets?: Input<Input<string>[]>;
  /**
   * The proxy of the operator and of the caches' pods.
   * Defaults to none.
   * @example { httpsProxy: "http://proxy.example.com:3128", noProxy: ".svc" }
   */
  proxy?: ProxyArgs;
  /**
   * Log level of the operator: "debug", "info", "warn" or "error".
   * Defaults to "info".
   * @example "debug"
   */
  logLevel?: Input<string>;
  /**
   * The operator's Prometheus metrics.
   * @example { certSecret: "metrics-server-cert" }
   */
  metrics?: MetricsArgs;
  /**
   * Whether operator pods elect a leader, so that only one is active, also during a rolling update.
   * Defaults to true.
   * @example false
   */
  leaderElect?: Input<boolean>;
  /**
   * Labels of the nodes that may run operator pods.
   * @example { "kubernetes.io/os": "linux" }
   */
  nodeSelector?: Input<{ [key: string]: Input<string> }>;
  /**
   * Taints that operator pods tolerate.
   * @example [{ key: "dedicated", operator: "Exists" }]
   */
  tolerations?: Input<Input<core.v1.Toleration>[]>;
  /**
   * Affinity of operator pods.
   * @example { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions: [{ key: "dedicated", operator: "Exists" }] }] } } }
   */
  affinity?: Input<core.v1.Affinity>;
  /**
   * Additional labels for every object. They cannot replace the operator's own.
   * @example { team: "platform" }
   */
  labels?: Input<{ [key: string]: Input<string> }>;
  /**
   * Annotations for every object.
   * @example { "example.com/owner": "platform" }
   */
  annotations?: Input<{ [key: string]: Input<string> }>;
}
