import { type Memcached, firstSize, withDefaults } from "../../api";
import { type Client, type Logger, isApiError, keyOf } from "../runtime";
import { formerKind } from "./children/workloads";
import { isControlledBy, orphanOf } from "./owner";
import { type WorkloadStores, workloadNamedAs } from "./stores";
import { memcachedType } from "./types";

/** The size for a Memcached without one: that of its workload, or the default of a new resource. */
export function sizeLeftOpen(memcached: Memcached, stores: WorkloadStores): number {
  const { workload } = withDefaults(memcached.spec);
  const { name, uid } = memcached.metadata;
  const found = [workload, formerKind[workload]]
    .map((kind) => workloadNamedAs(memcached, stores, kind))
    .filter((each) => each !== undefined);
  const observed = found.find((each) => isControlledBy(each, uid)) ?? found.find((each) => orphanOf(each) === name);
  return observed?.spec?.replicas ?? firstSize;
}

/**
 * Writes the size into a Memcached without one, through the scale subresource, which autoscalers cannot use without a size. True if
 * it is written or the resource is gone: the watch delivers the change. False if the operator lacks permission. Throws a conflict
 * if the resource has changed.
 */
export async function fillSize(
  client: Client,
  memcached: Memcached,
  replicas: number,
  { signal, log }: { signal: AbortSignal; log: Logger },
): Promise<boolean> {
  const key = keyOf(memcached);
  const { resourceVersion } = memcached.metadata;
  try {
    await client.patchScale(memcachedType, key, { metadata: { resourceVersion }, spec: { replicas } }, { signal });
  } catch (error) {
    if (isApiError(error, 404)) return true;
    if (!isApiError(error, 403)) throw error;
    log.warn({ error }, "spec.size is missing and cannot be filled in: allow the operator to patch memcacheds/scale");
    return false;
  }
  // The field gets no owner, like a default of the API server, so that a later server-side apply has no conflict.
  await client.patchScale(memcachedType, key, { metadata: { managedFields: [{}] } }, { signal });
  return true;
}
