/** The package as `npm run build` makes it, in a folder of the test run's own: the developer's dist/ stays as it is. */
import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../build/buildPackage";
import { atEnd } from "./cleanup";

const root = join(__dirname, "..", "..");
/** The last are the configurations of stacks, which tests make and remove beside this. */
const notSources = /^(\.git|node_modules|dist|Pulumi\..+\.yaml)$/;

let shared: Promise<string> | undefined;

/** The folder of a copy of this tree with its dist/ built, at the first call; it goes with the mocha run. */
export function builtPackage(): Promise<string> {
  shared ??= build();
  return shared;
}

async function build(): Promise<string> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-package-"));
  atEnd(async () => rmSync(dir, { recursive: true, force: true }));
  for (const entry of readdirSync(root).filter((name) => !notSources.test(name)))
    cpSync(join(root, entry), join(dir, entry), { recursive: true });
  assert.equal(await buildPackage(join(dir, "dist")), 0, "the package does not build");
  symlinkSync(join(root, "node_modules"), join(dir, "node_modules"));
  return dir;
}
