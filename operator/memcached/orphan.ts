import type { KubeObject } from "../runtime";
import { fieldManager } from "./labels";
import { controllerOf } from "./owner";
import { hashOf } from "./sync/drift";

/**
 * The name of the Memcached that an object without a controller was made for: it carries all marks of this operator, the labels
 * managed-by and instance and the annotation with the hash of what was applied. So a restore from a backup leaves children, and
 * so does `kubectl delete memcached NAME --cascade=orphan`. Undefined for every other object.
 */
export function orphanOf(object: Pick<KubeObject, "metadata">): string | undefined {
  const { labels } = object.metadata;
  if (controllerOf(object) || labels?.["app.kubernetes.io/managed-by"] !== fieldManager) return undefined;
  return hashOf(object) === undefined ? undefined : labels["app.kubernetes.io/instance"];
}
