import { lift } from "../lift";
import { deployment } from "./deployment";
import { metricsNetworkPolicy, metricsOf, metricsService } from "./metrics";
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
  const metrics = metricsOf(args.metrics);
  return [
    ...((args.createNamespace ?? true) ? [namespace(s)] : []),
    ...rbac(args, s),
    deployment(args, s),
    ...(metrics ? [metricsService(metrics, s)] : []),
  ];
}

/** A NetworkPolicy for clusters that enforce them; no part of an install, since who may scrape is the cluster's to say. */
export function operatorNetworkPolicies(args: OperatorManifestArgs): KubeManifest[] {
  const metrics = metricsOf(args.metrics);
  return metrics ? [metricsNetworkPolicy(metrics, scope(args))] : [];
}

/** Admits only restricted pods, as the operator's own are. */
function namespace(s: Scope): KubeManifest {
  const labels = lift(s.labels, (given) => ({ ...given, "pod-security.kubernetes.io/enforce": "restricted" }));
  return { apiVersion: "v1", kind: "Namespace", metadata: { ...s.meta(""), name: s.namespace, labels } };
}
