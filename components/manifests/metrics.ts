import type { Input } from "@pulumi/pulumi";
import type { KubeManifest, Scope } from "./names";
import type { MetricsArgs, OperatorManifestArgs } from "./options";

/** What is known of the metrics once the defaults are filled in. */
export interface Metrics {
  secure: boolean;
  port: Input<number>;
  certSecret?: Input<string>;
}

/** Undefined when metrics are off. */
export function metricsOf({ enabled = true, secure = true, port, certSecret }: MetricsArgs = {}): Metrics | undefined {
  if (!enabled) return undefined;
  return { secure, port: port ?? (secure ? 8443 : 8080), ...(secure && certSecret !== undefined && { certSecret }) };
}

/** The Service that scrapers come by. */
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

/** Lets only namespaces labelled `metrics: enabled` reach the metrics, and nobody reach another port of the operator's pods. */
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

/** Where the certificate of `certSecret` is mounted. */
const certificatePath = "/tmp/k8s-metrics-server/metrics-certs";

/** What the manager's container and pod need for its metrics. */
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
