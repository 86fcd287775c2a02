import { type Memcached, serverAddresses, withDefaults } from "../../../api";
import type { ObservedState } from "./observedState";

/**
 * What clients connect to: see `serverAddresses`. Servers of a StatefulSet are there ready or not, since a client that loses one from its
 * list hashes its keys elsewhere. While one workload takes over from the other, those of before. Nothing without a Service of ours: under
 * a foreign one the names lead elsewhere.
 */
export function serversOf(
  { metadata, spec }: Memcached,
  { size, workload, former, serviceExists }: Pick<ObservedState, "size" | "workload" | "former" | "serviceExists">,
  clusterDomain: string,
): string[] {
  if (!serviceExists) return [];
  const { name, namespace = "" } = metadata;
  const serving = former ?? { kind: workload, size };
  const { port } = withDefaults(spec);
  return serverAddresses({ name, namespace, clusterDomain }, { workload: serving.kind, size: serving.size, port });
}
