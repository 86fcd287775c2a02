import { type Memcached, group, kind, storedVersion } from "../../api";
import type { KubeObject, OwnerReference } from "../runtime";
import { fieldManager } from "./labels";
import { hashOf } from "./sync/desired";

/** The controller reference of every child. It identifies the owner, and lets the garbage collector clean up. */
export function ownerReference(memcached: Pick<Memcached, "metadata">): OwnerReference {
  return {
    apiVersion: `${group}/${storedVersion}`,
    kind,
    name: memcached.metadata.name,
    uid: memcached.metadata.uid ?? "",
    controller: true,
    blockOwnerDeletion: true,
  };
}

export function controllerOf(object: Pick<KubeObject, "metadata">): OwnerReference | undefined {
  return object.metadata.ownerReferences?.find((owner) => owner.controller);
}

/** Whether the object with this UID controls `child`; an earlier one of the same name does not. */
export function isControlledBy(child: Pick<KubeObject, "metadata">, uid: string | undefined): boolean {
  return uid !== undefined && controllerOf(child)?.uid === uid;
}

/** The reference to the controlling Memcached, of any version of our group. */
export function memcachedOwner(child: Pick<KubeObject, "metadata">): OwnerReference | undefined {
  const owner = controllerOf(child);
  return owner?.kind === kind && owner.apiVersion.split("/")[0] === group ? owner : undefined;
}

/**
 * The name of the Memcached that an orphan was created for. An orphan has no controller, but this operator's labels managed-by and
 * instance and its hash annotation. A restore from a backup leaves such children, and so does
 * `kubectl delete memcached NAME --cascade=orphan`. Undefined for every other object.
 */
export function orphanOf(object: Pick<KubeObject, "metadata">): string | undefined {
  const { labels } = object.metadata;
  if (controllerOf(object) || labels?.["app.kubernetes.io/managed-by"] !== fieldManager) return undefined;
  return hashOf(object) === undefined ? undefined : labels["app.kubernetes.io/instance"];
}
