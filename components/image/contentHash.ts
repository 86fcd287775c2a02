import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join, sep } from "node:path";

/**
 * A hash of the names and contents of all files in a folder and of the base image, equal on every machine. Undefined if the
 * folder has no Dockerfile and main.js.
 */
export function contentHash(dir: string, base: string): string | undefined {
  const entries = existsSync(dir) ? readdirSync(dir, { recursive: true, encoding: "utf8" }) : [];
  const files = entries.filter((path) => !statSync(join(dir, path)).isDirectory()).sort();
  if (!files.includes("Dockerfile") || !files.includes("main.js")) return undefined;
  const hash = createHash("sha256").update(`${base}\0`);
  for (const file of files) {
    const content = readFileSync(join(dir, file));
    hash.update(`${file.replaceAll(sep, "/")}\0${content.length}\0`).update(content);
  }
  return hash.digest("hex").slice(0, 16);
}
