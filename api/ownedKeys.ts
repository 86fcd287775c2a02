/** Labels of the servers' pods that the operator or Kubernetes gives them. */
export const ownedPodLabels = [
  "app.kubernetes.io/name",
  "app.kubernetes.io/instance",
  "app.kubernetes.io/component",
  "app.kubernetes.io/managed-by",
  "pod-template-hash",
  "controller-revision-hash",
  "statefulset.kubernetes.io/pod-name",
  "apps.kubernetes.io/pod-index",
];

/** What the operator's own annotations begin with. */
export const reservedPrefix = "cache.example.com/";
