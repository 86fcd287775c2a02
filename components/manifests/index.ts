import { defaultMetricsPort, deployment } from "./deployment";
import { lift } from "../lift";
import { scope } from "./names";
import type { KubeManifest, Scope } from "./names";
import type { OperatorManifestArgs } from "./options";
import { rbac } from "./rbac";

export { defaultNamespace, defaultPrefix } from "./names";
export type { KubeManifest } from "./names";
export type { MetricsArgs, OperatorManifestArgs, ProxyArgs } from "./options";

/**
 * The objects that run the operator, beside the CRD, in the order in which they can be applied. Plain arguments give
 * plain objects; an argument that is still unknown leaves its own place unknown. `deploy/install.yaml` and
 * `MemcachedOperator` are both made of these.
 */
export function operatorManifests(args: OperatorManifestArgs): KubeManifest[] {
  const s = scope(args);
  return [
    ...((args.createNamespace ?? true) ? [namespace(s)] : []),
    ...rbac(args, s),
    deployment(args, s),
    ...((args.metrics?.enabled ?? true) ? [metricsService(args, s)] : []),
  ];
}

/** Admits only restricted pods, as the operator's own are. */
function namespace(s: Scope): KubeManifest {
  const labels = lift(s.labels, (given) => ({ ...given, "pod-security.kubernetes.io/enforce": "restricted" }));
  return { apiVersion: "v1", kind: "Namespace", metadata: { ...s.meta(""), name: s.namespace, labels } };
}

function metricsService(args: OperatorManifestArgs, s: Scope): KubeManifest {
  return {
    apiVersion: "v1",
    kind: "Service",
    metadata: s.meta("controller-manager-metrics-service", s.namespace),
    spec: {
      selector: s.selector,
      ports: [{ name: "http", port: args.metrics?.port ?? defaultMetricsPort, protocol: "TCP", targetPort: "metrics" }],
    },
  };
}
