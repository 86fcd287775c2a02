/** The operator as a process: the bundle that its image holds, made once a run. */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOperator } from "../../../scripts/build/bundleOperator";
import { atEnd } from "../../support/cleanup";

let bundled: Promise<string> | undefined;

/** Starts it with these flags and nothing but these variables; `log` is given what it prints. */
export async function startOperatorProcess(
  flags: readonly string[],
  variables: Record<string, string>,
  log: (text: string) => void,
): Promise<ChildProcess> {
  bundled ??= bundle();
  const env = { PATH: process.env.PATH, ...variables };
  const child = spawn(process.execPath, [await bundled, ...flags], { env, stdio: ["ignore", "pipe", "pipe"] });
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text: Buffer) => log(text.toString()));
  return child;
}

async function bundle(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "operator-bundle-"));
  atEnd(async () => rmSync(dir, { recursive: true, force: true }));
  await bundleOperator(dir);
  return join(dir, "main.js");
}
