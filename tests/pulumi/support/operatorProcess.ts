/** The operator as a process: the bundle that its image holds, made once a run. */
import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bundleOperator } from "../../../build/bundleOperator";
import { atEnd } from "../../support/cleanup";
import { spawnOperator } from "../../support/spawnOperator";

let bundled: Promise<string> | undefined;

/** Starts it with these flags and nothing but these variables; `log` is given what it prints. */
export async function startOperatorProcess(
  flags: readonly string[],
  variables: Record<string, string>,
  log: (text: string) => void,
): Promise<ChildProcess> {
  bundled ??= bundle();
  return spawnOperator(await bundled, flags, variables, log);
}

async function bundle(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "operator-bundle-"));
  atEnd(async () => rmSync(dir, { recursive: true, force: true }));
  await bundleOperator(dir);
  return dir;
}
