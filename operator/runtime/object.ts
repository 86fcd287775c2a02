import type { Key, KubeObject } from "./types";

/** Two thirds of a cached list is managedFields, which no one here reads. Changes its argument. */
export function stripManagedFields<T extends KubeObject>(object: T): T {
  delete (object.metadata as { managedFields?: unknown }).managedFields;
  return object;
}

/** Names an object within its kind, as client-go's ObjectName. */
export function keyOf(object: KubeObject): Key {
  return { namespace: object.metadata.namespace ?? "", name: object.metadata.name };
}

/** "namespace/name", or "/name" for a cluster-scoped object: names hold no slash. */
export function keyText(key: Key): string {
  return `${key.namespace}/${key.name}`;
}

/** The key that `keyText` has written, as client-go's SplitMetaNamespaceKey. */
export function keyFromText(text: string): Key {
  const slash = text.indexOf("/");
  return { namespace: text.slice(0, slash), name: text.slice(slash + 1) };
}

/**
 * Orders two resourceVersions of one resource as the decimal numbers they are: negative, zero or positive. Kubernetes
 * promises this order since 1.35 and kept to it before.
 */
export function compareResourceVersions(a: string, b: string): number {
  if (a.length !== b.length) return a.length - b.length;
  return a < b ? -1 : a > b ? 1 : 0;
}
