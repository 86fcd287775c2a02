import type { Input } from "@pulumi/pulumi";
import type { core } from "@pulumi/kubernetes/types/input";

/** The proxy through which the operator and the caches' pods reach the outside. */
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
   * Hosts, domain suffixes and CIDRs that are reached directly, separated by commas.
   * @example ".svc,.cluster.local,10.0.0.0/8"
   */
  noProxy?: Input<string>;
}

/** Where the operator serves its Prometheus metrics. */
export interface MetricsArgs {
  /**
   * Whether metrics are served and have a Service. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  enabled?: boolean;
  /**
   * Whether they are served over HTTPS to accounts that have the ClusterRole `memcached-operator-metrics-reader`, by token; false: over HTTP to
   * whoever reaches the pod. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  secure?: boolean;
  /**
   * Port of the metrics, in the pod and on the Service.
   * Defaults to 8443, and to 8080 when they are not secure.
   * @example 9443
   */
  port?: Input<number>;
  /**
   * Name of the Secret of type kubernetes.io/tls, in the operator's namespace, with the certificate to serve metrics with; a renewed one is
   * taken up without a restart.
   * Defaults to none: a self-signed certificate.
   * @example "metrics-server-cert"
   */
  certSecret?: Input<string>;
}

/** What shapes the operator's objects, beside the CRD. Names and defaults are those of `deploy/install.yaml`. */
export interface OperatorManifestArgs {
  /**
   * The operator's image: a published one, or what `OperatorImage` built.
   * @example "registry.example.com/memcached-operator:0.1.0"
   */
  image: Input<string>;
  /**
   * Image of the memcached servers whose resource names none.
   * Defaults to the official memcached image at the version this release was tested with.
   * @example "registry.example.com/memcached:1.6.45"
   */
  operandImage?: Input<string>;
  /**
   * Namespace of the operator itself.
   * Defaults to "memcached-operator-system".
   * @example "caches-system"
   */
  namespace?: Input<string>;
  /**
   * Whether to make that namespace; false when it is there already. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  createNamespace?: boolean;
  /**
   * What the names of all objects start with. A second operator in one cluster takes another prefix, another namespace
   * and `watchNamespaces` that do not overlap. At most 29 characters, and known when the program runs.
   * Defaults to "memcached-operator-".
   * @example "team-a-"
   */
  namePrefix?: string;
  /**
   * The namespaces whose caches this operator runs; with it the operator gets a Role in each of them and no rights
   * elsewhere. The list's length must be known when the program runs. Left out: all namespaces.
   * @example ["team-a", "team-b"]
   */
  watchNamespaces?: Input<string>[];
  /**
   * The namespaces whose Secrets and ConfigMaps the operator may read, so that it tells of a missing or wrong one before a server is replaced;
   * `["*"]`: all namespaces. It reads only what `spec.tls` and `spec.auth` name. The list's length must be known when the program runs.
   * Defaults to none: all works, but what is wrong shows only when a server starts.
   * @example ["shop"]
   */
  secretAccess?: Input<string>[];
  /**
   * Domain of the cluster's DNS, in which the addresses of caches end.
   * Defaults to what the operator's pod finds in its resolv.conf, and to "cluster.local" where it finds none.
   * @example "cluster.example.com"
   */
  clusterDomain?: Input<string>;
  /**
   * Operator pods. More than one needs leader election: one works, the others stand by.
   * Defaults to 1.
   * @example 2
   */
  replicas?: Input<number>;
  /**
   * CPU and memory of an operator pod. Its heap may take three quarters of the memory limit; it says in its log when that is nearly full.
   * Defaults to requests of 10m CPU and 64Mi, limits of 500m CPU and 256Mi.
   * @example { limits: { memory: "512Mi" } }
   */
  resources?: Input<core.v1.ResourceRequirements>;
  /**
   * Names of the Secrets, in the operator's namespace, to pull its image with.
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
   * How much the operator logs: "debug", "info", "warn" or "error".
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
   * Whether operator pods elect a leader before they act; what keeps a rolling update from two of them at work.
   * Defaults to true.
   * @example false
   */
  leaderElect?: Input<boolean>;
  /**
   * Labels of the nodes that operator pods may run on.
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
   * Labels for every object, beside the operator's own, which win.
   * @example { team: "platform" }
   */
  labels?: Input<{ [key: string]: Input<string> }>;
  /**
   * Annotations for every object.
   * @example { "example.com/owner": "platform" }
   */
  annotations?: Input<{ [key: string]: Input<string> }>;
}
