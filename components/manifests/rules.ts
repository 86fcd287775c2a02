import { group, plural } from "../../api";

/** One rule of a Role or ClusterRole. */
export interface PolicyRule {
  apiGroups: string[];
  resources: string[];
  verbs: string[];
}

const read = ["get", "list", "watch"];
const children = ["create", "delete", ...read, "patch"];

const rule = (apiGroup: string, resources: string[], verbs: string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources,
  verbs,
});

/** The operator's permissions in each watched namespace. */
export const managerRules: PolicyRule[] = [
  rule(group, [plural], read),
  rule(group, [`${plural}/status`], ["patch", "update"]),
  // Fills in a missing size. The operator cannot change other fields of spec.
  rule(group, [`${plural}/scale`], ["patch"]),
  // The admission plugin OwnerReferencesPermissionEnforcement requires this for blockOwnerDeletion.
  rule(group, [`${plural}/finalizers`], ["update"]),
  rule("apps", ["deployments", "statefulsets"], children),
  rule("", ["services"], children),
  rule("policy", ["poddisruptionbudgets"], children),
  rule("networking.k8s.io", ["networkpolicies"], children),
  rule("apps", ["replicasets"], read),
  rule("", ["pods"], read),
  // list: only Events say why a StatefulSet has too few pods.
  rule("events.k8s.io", ["events"], ["create", "list", "patch"]),
];

/** Leader election, in the operator's own namespace. */
export const leaderElectionRules: PolicyRule[] = [
  rule("coordination.k8s.io", ["leases"], ["create", "get", "patch", "update"]),
  rule("events.k8s.io", ["events"], ["create", "patch"]),
];

/** To check the Secrets and ConfigMaps of spec.tls and spec.auth before servers are replaced. */
export const secretsRules: PolicyRule[] = [rule("", ["secrets", "configmaps"], ["get"])];

/** Authentication and authorization of metrics clients. Both reviews are cluster-scoped. */
export const metricsAuthRules: PolicyRule[] = [
  rule("authentication.k8s.io", ["tokenreviews"], ["create"]),
  rule("authorization.k8s.io", ["subjectaccessreviews"], ["create"]),
];

/** For clients that scrape the metrics. */
export const metricsReaderRules = [{ nonResourceURLs: ["/metrics"], verbs: ["get"] }];

const seeStatus = rule(group, [`${plural}/status`], ["get"]);

/** Roles for people: all permissions on caches, changing them, viewing them. */
export const userRoles: { role: "admin" | "editor" | "viewer"; rules: PolicyRule[] }[] = [
  { role: "admin", rules: [rule(group, [plural, `${plural}/scale`], ["*"]), seeStatus] },
  {
    role: "editor",
    rules: [
      rule(group, [plural], ["create", "delete", ...read, "patch", "update"]),
      rule(group, [`${plural}/scale`], ["get", "patch", "update"]),
      seeStatus,
    ],
  },
  { role: "viewer", rules: [rule(group, [plural], read), rule(group, [`${plural}/scale`], ["get"]), seeStatus] },
];
