/** What a Pulumi whose command was killed leaves behind: the lock of its stack. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { say } from "../../cluster/report";
import { waitFor } from "../../cluster/wait";

/** Milliseconds for another Pulumi to finish what it is at. */
const LIMIT_MS = 120_000;

/**
 * Removes the locks of commands that are gone, and waits for the owners of others. For callers that no other command of ours can
 * run beside, whose Pulumi has a number that only its own namespace knows. `backend` is the folder of the state.
 */
export async function removeStaleLocks(backend: string): Promise<void> {
  const dir = join(backend, ".pulumi", "locks");
  if (!existsSync(dir)) return;
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  for (const file of files.map((name) => join(dir, name))) {
    const { pid } = JSON.parse(readFileSync(file, "utf8")) as { pid: number };
    if (runs(pid)) say(`waiting for another Pulumi on the same stack (process ${pid}) …`);
    await waitFor(`process ${pid} to end`, { limitMs: LIMIT_MS, everyMs: 200 }, () => !runs(pid));
    rmSync(file, { force: true });
    say("an earlier command was interrupted: going on from where it stopped.");
  }
}

/** Whether the process is there and is a Pulumi: its number may be another's by now. */
function runs(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("pulumi");
  } catch {
    return false;
  }
}
