import { type Memcached, firstSize, withDefaults } from "../../api";
import { type Client, type Logger, isApiError, keyOf } from "../runtime";
import { formerKind } from "./children/workloads";
import { isControlledBy, orphanOf } from "./owner";
import { type WorkloadStores, workloadNamedAs } from "./stores";
import { memcachedType } from "./types";

/** How many servers a Memcached has whose spec names no size: those that run stay, and a new one gets its first. */
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
 * Writes a size into a Memcached that has none, by the scale subresource, which autoscalers cannot read without it. True when it is
 * written, or the resource is gone: the watch will tell. False when the operator has no right to. A resource that has changed
 * meanwhile is left alone: the conflict is thrown.
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
  // Nobody's, as a default of the API server would be: whoever gives a size next by server-side apply meets no conflict.
  await client.patchScale(memcachedType, key, { metadata: { managedFields: [{}] } }, { signal });
  return true;
}
