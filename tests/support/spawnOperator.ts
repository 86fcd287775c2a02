import { spawn, type ChildProcess } from "node:child_process";
import { join } from "node:path";

/**
 * Starts the operator as it is in the image: the bundle in `folder`, run by this Node, with these flags and no variables but
 * these. `onOutput` is given what it prints.
 */
export function spawnOperator(
  folder: string,
  flags: readonly string[],
  variables: Record<string, string>,
  onOutput: (text: string) => void,
): ChildProcess {
  const env = { PATH: process.env.PATH, ...variables };
  const command = [join(folder, "main.js"), ...flags];
  const child = spawn(process.execPath, command, { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", onOutput);
  return child;
}
