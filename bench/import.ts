/**
 * What importing the package costs: `node --require tsx/cjs bench/import.ts`. Builds it, loads it in fresh processes after
 * @pulumi/pulumi, which every program has loaded already, and prints time and modules. Exits 1 when it loads the controller, or
 * all of @pulumi/kubernetes.
 */
import { symlinkSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { inFolder } from "../cluster/folders";
import { repositoryRoot } from "../cluster/paths";
import { run } from "../cluster/run";
import { buildPackage } from "../build/buildPackage";
import { main } from "../cluster/cli/main";

const ROUNDS = 9;

interface Load {
  ms: number;
  modules: string[];
}

main(() =>
  inFolder("memcached-import", async (dir) => {
    if ((await buildPackage(join(dir, "dist"))) !== 0) throw new Error("the package does not build");
    symlinkSync(join(repositoryRoot, "node_modules"), join(dir, "node_modules"));
    const sdk = await rounds(dir, "", "@pulumi/pulumi");
    const ours = await rounds(dir, "@pulumi/pulumi", "./dist/components");
    const whole = await rounds(dir, "@pulumi/pulumi", "@pulumi/kubernetes");
    console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`);
    for (const [what, { ms, modules }] of Object.entries({ sdk, ours, whole }))
      console.log(`${what}: ${ms.toFixed(0)} ms, ${modules.length} modules`);
    const wrong = ours.modules.filter((path) => /\/dist\/operator\/|\/@pulumi\/kubernetes\/index\.js$/.test(path));
    for (const path of wrong) console.log(`loaded without need: ${path}`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  }),
);

/** The median round of loading `target` when `before` is loaded. */
async function rounds(cwd: string, before: string, target: string): Promise<Load> {
  const script = `
    ${before ? `require(${JSON.stringify(before)});` : ""}
    const known = new Set(Object.keys(require.cache));
    const start = performance.now();
    require(${JSON.stringify(target)});
    const ms = performance.now() - start;
    console.log(JSON.stringify({ ms, modules: Object.keys(require.cache).filter((path) => !known.has(path)) }));
  `;
  const loads: Load[] = [];
  for (let i = 0; i < ROUNDS; i++) loads.push(JSON.parse(await run(process.execPath, ["-e", script], { cwd })) as Load);
  return loads.sort((a, b) => a.ms - b.ms)[Math.floor(ROUNDS / 2)]!;
}
