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
 * The operator's objects without the CRD, in the order in which they can be applied, for `deploy/install.yaml` and
 * `MemcachedOperator`. Plain arguments give plain objects; an unknown argument leaves only its own field unknown.
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

/** An optional NetworkPolicy for the metrics. Not part of an install, because it depends on who scrapes them. */
export function operatorNetworkPolicies(args: OperatorManifestArgs): KubeManifest[] {
  const metrics = metricsOf(args.metrics);
  return metrics ? [metricsNetworkPolicy(metrics, scope(args))] : [];
}

/** Allows only restricted pods, such as the operator's own. */
function namespace(s: Scope): KubeManifest {
  const labels = lift(s.labels, (given) => ({ ...given, "pod-security.kubernetes.io/enforce": "restricted" }));
  return { apiVersion: "v1", kind: "Namespace", metadata: { ...s.meta(""), name: s.namespace, labels } };
}
