/** One command at a time on a cluster and its stack: a second one waits, and says for what. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../../cluster/lock";
import { cacheDir } from "../../cluster/paths";
import { say } from "../../cluster/report";

/** Runs `work` when no other command works on the cluster of that name. What a killed one left behind holds up nobody. */
export async function exclusively(name: string, work: () => Promise<void>): Promise<void> {
  const file = join(cacheDir(), `command-${name}.lock`);
  let waits = true;
  const timer = setTimeout(() => {
    if (waits) say(`waiting for another command on the cluster "${name}"${owner(file)} …`);
  }, 1000);
  await withLock(file, `another command on the cluster "${name}"`, async () => {
    waits = false;
    clearTimeout(timer);
    await work();
  });
}

function owner(file: string): string {
  try {
    return ` (process ${readFileSync(file, "utf8")})`;
  } catch {
    return "";
  }
}
