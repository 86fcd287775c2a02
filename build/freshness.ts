import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "..");

/** What the package is made from. */
const sources = ["api", "components", "plugin", "operator", "build", "schema.json"].concat([
  "package.json",
  "package-lock.json",
  "tsconfig.json",
  "tsconfig.build.json",
]);

/** Whether the package in `dist` was built after the last change of what it is made from. `last` is what the build writes last. */
export function isFresh(last: string): boolean {
  const built = statSync(last, { throwIfNoEntry: false })?.mtimeMs;
  return built !== undefined && sources.every((source) => newest(join(root, source)) <= built);
}

/** The last change under a path; that of a folder is also when something in it was made or removed. */
function newest(path: string): number {
  const stat = statSync(path);
  if (!stat.isDirectory()) return stat.mtimeMs;
  return Math.max(stat.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}
