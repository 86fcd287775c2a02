import type { Input } from "@pulumi/pulumi";
import type { KubeManifest, Scope } from "./names";
import type { MetricsArgs, OperatorManifestArgs } from "./options";

/** The metrics arguments with defaults. */
export interface Metrics {
  secure: boolean;
  port: Input<number>;
  certSecret?: Input<string>;
}

/** Undefined if metrics are off. */
export function metricsOf({ enabled = true, secure = true, port, certSecret }: MetricsArgs = {}): Metrics | undefined {
  if (!enabled) return undefined;
  return { secure, port: port ?? (secure ? 8443 : 8080), ...(secure && certSecret !== undefined && { certSecret }) };
}

/** The Service for scrapers. */
export function metricsService({ secure, port }: Metrics, s: Scope): KubeManifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: s.meta("controller-manager-metrics-service", s.namespace),
    spec: {
      selector: s.selector,
      ports: [{ name: secure ? "https" : "http", port, protocol: "TCP", targetPort: "metrics" }],
    },
  };
}

/** Allows only namespaces with the label `metrics: enabled` to reach the metrics, and no other port of the operator's pods. */
export function metricsNetworkPolicy({ port }: Metrics, s: Scope): KubeManifest {
  return {
    apiVersion: "networking.k8s.io/v1",
    kind: "NetworkPolicy",
    metadata: s.meta("allow-metrics-traffic", s.namespace),
    spec: {
      podSelector: { matchLabels: s.selector },
      policyTypes: ["Ingress"],
      ingress: [
        {
          from: [{ namespaceSelector: { matchLabels: { metrics: "enabled" } } }],
          ports: [{ port, protocol: "TCP" }],
        },
      ],
    },
  };
}

/** Mount path of `certSecret`. */
const certificatePath = "/tmp/k8s-metrics-server/metrics-certs";

/** The parts of the manager's container and pod for metrics. */
export function metricsParts(args: OperatorManifestArgs) {
  const metrics = metricsOf(args.metrics);
  const volume = { name: "metrics-certs" };
  const certSecret = metrics?.certSecret;
  return {
    metrics,
    volumes: certSecret === undefined ? [] : [{ ...volume, secret: { secretName: certSecret } }],
    volumeMounts: certSecret === undefined ? [] : [{ ...volume, mountPath: certificatePath, readOnly: true }],
    certificateFlags: certSecret === undefined ? [] : [`--metrics-cert-path=${certificatePath}`],
  };
}
