/** Processes as a test that started them finds them, however they went on: by a variable of their environment. */
import { readdirSync, readFileSync } from "node:fs";

/** Command lines of the processes whose environment has `NAME=VALUE`: those that got it, and all that they started. */
export function commandsWith(variable: string): string[] {
  return readdirSync("/proc").flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(variable)) return [];
      return [readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ")];
    } catch {
      return [];
    }
  });
}
