import { type Memcached, withDefaults } from "../../../api";
import type { Situation } from "./situation";

/**
 * What clients connect to, in an order that stays: each server of a StatefulSet by its own name, ready or not, since a client that loses
 * one from its list hashes its keys elsewhere; the servers of a Deployment by the one name they have. While one takes over from the other,
 * those of before. Nothing without a Service of ours: under a foreign one the names lead elsewhere.
 */
export function serversOf(
  { metadata, spec }: Memcached,
  { size, workload, former, serviceExists }: Pick<Situation, "size" | "workload" | "former" | "serviceExists">,
): string[] {
  if (!serviceExists) return [];
  const domain = `${metadata.name}.${metadata.namespace}.svc:${withDefaults(spec).port}`;
  const serving = former ?? { kind: workload, size };
  if (serving.kind === "Deployment") return [domain];
  return Array.from({ length: serving.size }, (_, i) => `${metadata.name}-${i}.${domain}`);
}
