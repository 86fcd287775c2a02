import { createLogger } from "../../../../operator/runtime";
import type { Logger } from "../../../../operator/runtime";

export interface Line {
  level: string;
  msg: string;
  [field: string]: unknown;
}

/** A logger whose lines a test can look at. */
export function recordingLog(level = "debug"): { log: Logger; lines: Line[] } {
  const lines: Line[] = [];
  return { log: createLogger({ level, write: (line) => lines.push(JSON.parse(line) as Line) }), lines };
}
