/** The measured servers as a table in Markdown. */
import type { Measured } from "./measure";

/** Room that must remain below the limit, for what no bench thinks of. */
const ROOM = 0.05;

export const tooClose = ({ peakMiB, limitMiB }: Measured): boolean => peakMiB > limitMiB * (1 - ROOM);

export function tableOf(measured: readonly Measured[]): string {
  const rows = measured.map((of) => [
    of.spec.memory!,
    of.spec.maxItemSize!,
    of.load,
    String(of.connections),
    of.items.toLocaleString("en"),
    of.evictions.toLocaleString("en"),
    of.residentMiB.toFixed(0),
    of.peakMiB.toFixed(0),
    String(of.limitMiB),
    String(of.restarts),
  ]);
  const head = [
    "memory",
    "maxItemSize",
    "items",
    "connections",
    "held",
    "evicted",
    "resident",
    "peak",
    "limit",
    "restarts",
  ];
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}
