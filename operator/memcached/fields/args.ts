import { type DefaultedSpec, maxItemSizeBytes, memoryMiB } from "../../../api";
import type { Field } from "./field";
import { secretArgs } from "./secretFiles";

export const args: Field = {
  container: ({ spec }) => ({ args: memcachedArgs(spec) }),
  origins: [[/^spec\.template\.spec\.containers\[0\]\.args\b.*/, "spec.extraArgs"]],
};

/** memcached's command line. Each option that a field owns comes once, in its long form; `extraArgs` come last. */
export function memcachedArgs(spec: DefaultedSpec): string[] {
  return [
    `--port=${spec.port}`,
    `--memory-limit=${memoryMiB(spec)}`,
    `--conn-limit=${spec.connections}`,
    `--threads=${spec.threads}`,
    `--max-item-size=${itemSize(maxItemSizeBytes(spec))}`,
    ...(spec.verbosity > 0 ? [`-${"v".repeat(spec.verbosity)}`] : []),
    ...secretArgs(spec),
    ...(spec.extraArgs ?? []),
  ];
}

/** The size in memcached's own units, which know k and m only. */
function itemSize(bytes: number): string {
  if (bytes % 1048576 === 0) return `${bytes / 1048576}m`;
  if (bytes % 1024 === 0) return `${bytes / 1024}k`;
  return String(bytes);
}
