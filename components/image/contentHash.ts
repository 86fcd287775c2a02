import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * A hash of the names and contents of all files under a folder, and of what else decides what the image holds; the
 * same on every machine. Returns undefined when there is no Dockerfile and main.js in it.
 */
export function contentHash(dir: string, base: string): string | undefined {
  const files = filesUnder(dir);
  if (!files.includes("Dockerfile") || !files.includes("main.js")) return undefined;
  const hash = createHash("sha256").update(`${base}\0`);
  for (const file of files) {
    const content = readFileSync(join(dir, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}

function filesUnder(dir: string, prefix = ""): string[] {
  let entries;
  try {
    entries = readdirSync(join(dir, prefix), { withFileTypes: true });
  } catch {
    return [];
  }
  return entries
    .flatMap((entry) => {
      const path = prefix ? `${prefix}/${entry.name}` : entry.name;
      return entry.isDirectory() ? filesUnder(dir, path) : [path];
    })
    .sort();
}
