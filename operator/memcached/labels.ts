/** The operator's name in managedFields and in the label `app.kubernetes.io/managed-by`. */
export const fieldManager = "memcached-operator";

/** The labels that select a Memcached's pods. They never change, because a selector is immutable. */
export function selectorLabels(name: string): Record<string, string> {
  return { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": name };
}

/** The labels of all children and pods. */
export function labels(name: string): Record<string, string> {
  return {
    ...selectorLabels(name),
    "app.kubernetes.io/component": "cache",
    "app.kubernetes.io/managed-by": fieldManager,
  };
}

/** Matches the pods and ReplicaSets of every Memcached. */
export const operandSelector = `app.kubernetes.io/name=memcached,app.kubernetes.io/managed-by=${fieldManager}`;

/** The selector as text, for the scale subresource. */
export function selectorText(name: string): string {
  return Object.entries(selectorLabels(name))
    .map(([key, value]) => `${key}=${value}`)
    .sort()
    .join(",");
}
