/** `npm run build`: the package by tsc into dist/, and the operator as one file with its Dockerfile into dist/operator/. */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { bundleOperator } from "./build/bundleOperator";

const root = join(__dirname, "..");

async function main(): Promise<number> {
  rmSync(join(root, "dist"), { recursive: true, force: true });
  await bundleOperator();
  return spawnSync("tsc", ["-p", "tsconfig.build.json"], { cwd: root, stdio: "inherit" }).status ?? 1;
}

main().then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  },
);
