import { spawnSync } from "node:child_process";
import { chmodSync, copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundleComponents } from "./bundleComponents";
import { bundleOperator } from "./bundleOperator";

const root = join(__dirname, "..");
const program = "plugin/pulumi-resource-memcached";

/** The file that a build of dist/ writes last. */
export const lastOfPackage = join(root, "dist", program);

/**
 * Writes what the npm package holds beside its pages: the components and the plugin compiled, the schema, and the
 * operator's bundle with its Dockerfile. Replaces what is in `dist`. Gives tsc's exit code.
 */
export async function buildPackage(dist: string = join(root, "dist")): Promise<number> {
  rmSync(dist, { recursive: true, force: true });
  await bundleOperator(join(dist, "operator"));
  const compile = ["-p", "tsconfig.build.json", "--outDir", dist];
  const { status, error } = spawnSync("tsc", compile, { cwd: root, stdio: "inherit" });
  if (error) throw error;
  if (status !== 0) return status ?? 1;
  await bundleComponents(dist);
  copyFileSync(join(root, "schema.json"), join(dist, "schema.json"));
  copyFileSync(join(root, program), join(dist, program));
  chmodSync(join(dist, program), 0o755);
  return 0;
}
