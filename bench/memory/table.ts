/** The measured servers as a table in Markdown. */
import { markdownTable } from "../table";
import type { Measured } from "./measure";

/** Room that must remain below the limit, for what no bench thinks of. */
const ROOM = 0.05;

export const tooClose = ({ peakMiB, limitMiB }: Measured): boolean => peakMiB > limitMiB * (1 - ROOM);

export function tableOf(measured: readonly Measured[]): string {
  const rows = measured.map(({ load, spec, peakMiB, limitMiB }) => {
    const { memory, maxItemSize, connections } = spec;
    return [memory, maxItemSize, connections, load, peakMiB.toFixed(0), limitMiB].map(String);
  });
  return markdownTable(["memory", "maxItemSize", "connections", "items", "peak", "limit"], rows);
}
