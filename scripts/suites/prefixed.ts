import { spawn, type StdioOptions } from "node:child_process";
import { createInterface } from "node:readline";

/**
 * Runs a command to its end and gives its exit code, 1 when a signal ended it. With a prefix, each line of its output
 * begins with it, so that several can run side by side in one log; without, the output goes where ours goes.
 */
export function runPrefixed(
  [command = "", ...args]: readonly string[],
  env: Record<string, string>,
  prefix?: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const stdio: StdioOptions = prefix === undefined ? "inherit" : ["ignore", "pipe", "pipe"];
    const child = spawn(command, args, { stdio, env: { ...process.env, ...env } });
    for (const stream of [child.stdout, child.stderr])
      if (stream) createInterface(stream).on("line", (line) => process.stdout.write(`${prefix} ${line}\n`));
    child.on("error", reject);
    child.on("close", (code) => resolve(code ?? 1));
  });
}
