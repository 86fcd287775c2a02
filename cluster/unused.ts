/** What lies in the cache and nobody uses any more: tools of other versions of this repository. */
import { existsSync, readdirSync, rmSync, statSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { say } from "./report";

/** Another checkout on this machine may use what this one does not: what it has not used for 30 days goes. */
const UNUSED_MS = 30 * 86_400_000;

/** Marks folders as in use; those that are not there yet are left out. */
export function touch(folders: readonly string[]): void {
  const now = new Date();
  for (const folder of folders.filter((path) => existsSync(path))) utimesSync(folder, now, now);
}

/** Removes the folders of `parent` that nobody has used for 30 days, says which, and gives their names. */
export function removeUnused(parent: string, now = Date.now()): string[] {
  if (!existsSync(parent)) return [];
  const unused = readdirSync(parent, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && now - statSync(join(parent, entry.name)).mtimeMs > UNUSED_MS)
    .map((entry) => entry.name);
  for (const name of unused) {
    rmSync(join(parent, name), { recursive: true, force: true });
    say(`removed ${join(parent, name)}, which was not used for 30 days.`);
  }
  return unused;
}
