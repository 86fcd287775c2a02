import { copyFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

const root = join(__dirname, "..");

/**
 * Puts the components into one file in place of the compiled ones: a program that imports them reads one file of theirs in place of 250, most of
 * which are TypeBox. What they share with the program, @pulumi/pulumi and @pulumi/kubernetes, stays outside; declarations stay as they are.
 */
export async function bundleComponents(dist: string): Promise<void> {
  for (const folder of ["api", "components"])
    for (const file of readdirSync(join(dist, folder), { recursive: true, encoding: "utf8" }))
      if (file.endsWith(".js")) rmSync(join(dist, folder, file));
  await build({
    absWorkingDir: root,
    entryPoints: ["components/index.ts"],
    outfile: join(dist, "components", "index.js"),
    bundle: true,
    platform: "node",
    target: "node22",
    // Pulumi keeps the image provider's code as text and evaluates it, where import() is not to be had.
    supported: { "dynamic-import": false },
    format: "cjs",
    legalComments: "none",
    external: ["@pulumi/*"],
    logLevel: "error",
  });
  copyFileSync(join(root, "node_modules/@sinclair/typebox/license"), join(dist, "components", "typebox.license"));
}
