/** The operator to race against: built once for each state of its sources, as the cluster's tools are. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { findGo, goEnv } from "../cluster/go";
import { withLock } from "../cluster/lock";
import { cacheDir } from "../cluster/paths";
import { step } from "../cluster/report";
import { run } from "../cluster/run";

const sources = join(__dirname, "controller-runtime");
const flags = ["-trimpath", "-mod=readonly", "-ldflags=-s -w"];

/** Path of the Go operator. Builds it when its sources have changed since the last build; needs Go then. */
export async function goOperator(): Promise<string> {
  const hash = createHash("sha256").update(JSON.stringify([flags, process.platform, process.arch]));
  for (const file of readdirSync(sources).sort()) hash.update(file).update(readFileSync(join(sources, file)));
  const dir = join(cacheDir(), "bench", hash.digest("hex").slice(0, 16));
  const binary = join(dir, "controller-runtime");
  if (existsSync(binary)) return binary;
  mkdirSync(dir, { recursive: true });
  await withLock(join(dir, "lock"), "another build of the Go operator", async () => {
    if (!existsSync(binary)) await step("building the Go operator", () => build(binary));
  });
  return binary;
}

async function build(binary: string): Promise<void> {
  const go = await findGo("the Go operator");
  const env = goEnv();
  const unfinished = `${binary}.unfinished`;
  await run(go, ["build", ...flags, "-o", unfinished, "."], { cwd: sources, env, timeoutMs: 3_600_000 });
  renameSync(unfinished, binary);
}
