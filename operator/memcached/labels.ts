/** The name under which our fields are kept in managedFields; also the value of `app.kubernetes.io/managed-by`. */
export const fieldManager = "memcached-operator";

/** What a pod must carry to be one of this Memcached's servers: only what never changes, since a selector is immutable. */
export function selectorLabels(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": name };
}

/** The labels of every child and of its pods. */
export function labels(name: string): Record<string, string> {
  return {
    ...selectorLabels(name),
    "app.kubernetes.io/component": "cache",
    "app.kubernetes.io/managed-by": fieldManager,
  };
}

/** Matches the pods and ReplicaSets of every Memcached. */
export const operandSelector = `app.kubernetes.io/name=memcached,app.kubernetes.io/managed-by=${fieldManager}`;

/** The selector as the scale subresource wants it, for autoscalers. */
export function selectorText(name: string): string {
  return Object.entries(selectorLabels(name))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
