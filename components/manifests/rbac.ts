import type { Input } from "@pulumi/pulumi";
import { metricsOf } from "./metrics";
import type { KubeManifest, Scope } from "./names";
import type { OperatorManifestArgs } from "./options";
import {
  leaderElectionRules,
  managerRules,
  metricsAuthRules,
  metricsReaderRules,
  secretsRules,
  userRoles,
} from "./rules";

const apiVersion = "rbac.authorization.k8s.io/v1";
const apiGroup = "rbac.authorization.k8s.io";

/** The operator's ServiceAccount and its permissions, and the roles for people and scrapers. */
export function rbac(args: OperatorManifestArgs, s: Scope): KubeManifest[] {
  const account = s.name("controller-manager");
  const subjects = [{ kind: "ServiceAccount", name: account, namespace: s.namespace }];
  const clusterRole = (suffix: string, rules: unknown[]): KubeManifest => ({
    apiVersion,
    kind: "ClusterRole",
    metadata: s.meta(suffix),
    rules,
  });
  const role = (suffix: string, namespace: Input<string>, rules: unknown[]): KubeManifest => ({
    apiVersion,
    kind: "Role",
    metadata: s.meta(suffix, namespace),
    rules,
  });
  /** In a namespace, a RoleBinding; it may give there what a ClusterRole holds. */
  const bind = (what: string, kind: "Role" | "ClusterRole", namespace?: Input<string>): KubeManifest => ({
    apiVersion,
    kind: namespace === undefined ? "ClusterRoleBinding" : "RoleBinding",
    metadata: s.meta(`${what}-rolebinding`, namespace),
    roleRef: { apiGroup, kind, name: s.name(`${what}-role`) },
    subjects,
  });
  const reviews = metricsOf(args.metrics)?.secure;
  return [
    { apiVersion: "v1", kind: "ServiceAccount", metadata: s.meta("controller-manager", s.namespace) },
    role("leader-election-role", s.namespace, leaderElectionRules),
    bind("leader-election", "Role", s.namespace),
    ...(args.watchNamespaces
      ? args.watchNamespaces.flatMap((ns) => [role("manager-role", ns, managerRules), bind("manager", "Role", ns)])
      : [clusterRole("manager-role", managerRules), bind("manager", "ClusterRole")]),
    clusterRole("secrets-role", secretsRules),
    ...secretsBindings(args.secretAccess, bind),
    ...(reviews
      ? [
          clusterRole("metrics-auth-role", metricsAuthRules),
          bind("metrics-auth", "ClusterRole"),
          clusterRole("metrics-reader", metricsReaderRules),
        ]
      : []),
    ...userRoles.map(({ role, rules }) => clusterRole(`memcached-${role}-role`, rules)),
  ];
}

/** Gives the operator its ClusterRole for Secrets: everywhere, in some namespaces, or nowhere. */
function secretsBindings(
  access: Input<string>[] | undefined,
  bind: (what: string, kind: "ClusterRole", namespace?: Input<string>) => KubeManifest,
): KubeManifest[] {
  if (!access) return [];
  if (access.includes("*")) return [bind("secrets", "ClusterRole")];
  return access.map((namespace) => bind("secrets", "ClusterRole", namespace));
}
