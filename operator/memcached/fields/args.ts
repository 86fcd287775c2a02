import { type DefaultedSpec, maxItemSizeBytes, memoryMiB } from "../../../api";
import type { Field } from "./field";
import { secretArgs } from "./secretFiles";

export const args: Field = {
  container: ({ spec }) => ({ args: memcachedArgs(spec) }),
  origins: [[/^spec\.template\.spec\.containers\[0\]\.args\b.*/, "spec.extraArgs"]],
};

/** memcached's command line: the options of the fields, in their long form, and then `extraArgs`. */
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

/** The size in memcached's units, which are only k and m. */
function itemSize(bytes: number): string {
  if (bytes % 1048576 === 0) return `${bytes / 1048576}m`;
  if (bytes % 1024 === 0) return `${bytes / 1024}k`;
  return String(bytes);
}
