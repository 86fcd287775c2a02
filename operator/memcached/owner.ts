import { type Memcached, group, kind, storedVersion } from "../../api";
import type { KubeObject, OwnerReference } from "../runtime";

/** The controller reference every child carries: it makes the garbage collector clean up, and says whose the child is. */
export function ownerReference(memcached: Memcached): OwnerReference {
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

/** Whether this very object, not an earlier one of the same name, controls `child`. */
export function isControlledBy(child: Pick<KubeObject, "metadata">, uid: string | undefined): boolean {
  return uid !== undefined && controllerOf(child)?.uid === uid;
}

/** The controlling Memcached's reference, of any version of our group. */
export function memcachedOwner(child: Pick<KubeObject, "metadata">): OwnerReference | undefined {
  const owner = controllerOf(child);
  return owner?.kind === kind && owner.apiVersion.split("/")[0] === group ? owner : undefined;
}
