/**
 * What importing the package costs: `node --require tsx/cjs bench/import.ts`. Builds it, loads it in fresh processes after
 * @pulumi/pulumi, which every program has loaded already, and prints time and modules. Exits 1 when it loads the controller, or
 * more of @pulumi/kubernetes than it uses.
 */
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { repositoryRoot } from "../cluster/paths";
import { run } from "../cluster/run";
import { buildPackage } from "../build/buildPackage";
import { main } from "../cluster/cli/main";

const ROUNDS = 9;

/** Modules of @pulumi/kubernetes beside the classes: its version and helpers, and an index a group, which loads lazily. */
const KUBERNETES_FRAME = 7;

interface Load {
  ms: number;
  modules: string[];
}

main(async () => {
  const dir = mkdtempSync(join(tmpdir(), "memcached-import-"));
  try {
    if ((await buildPackage(join(dir, "dist"))) !== 0) throw new Error("the package does not build");
    symlinkSync(join(repositoryRoot, "node_modules"), join(dir, "node_modules"));
    const sdk = await rounds(dir, "", "@pulumi/pulumi");
    const ours = await rounds(dir, "@pulumi/pulumi", "./dist/components");
    const whole = await rounds(dir, "@pulumi/pulumi", "@pulumi/kubernetes");
    console.log(
      `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`,
    );
    console.log(`median of ${ROUNDS} fresh processes`);
    row("@pulumi/pulumi itself", sdk);
    row("this package, after it", ours);
    row("all of @pulumi/kubernetes, after it", whole);
    const kubernetes = ours.modules.filter((path) => path.includes("node_modules/@pulumi/kubernetes/"));
    const classes = kubernetes.filter(
      (path) => /\/[a-z]\w*[a-z]\.js$/.test(path) && !/\/(index|utilities)\.js$/.test(path),
    );
    console.log(`of @pulumi/kubernetes: ${classes.map((path) => path.split("/").at(-1)!.slice(0, -3)).join(", ")}`);
    const wrong = [
      ...ours.modules.filter((path) => path.includes("/dist/operator/")),
      ...kubernetes.filter((path) => path.endsWith("@pulumi/kubernetes/index.js")),
      ...(kubernetes.length > classes.length + KUBERNETES_FRAME ? kubernetes : []),
    ];
    for (const path of wrong) console.log(`loaded without need: ${path}`);
    process.exitCode = wrong.length > 0 ? 1 : 0;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
});

function row(what: string, { ms, modules }: Load): void {
  console.log(`${what.padEnd(36)} ${ms.toFixed(0).padStart(5)} ms ${String(modules.length).padStart(5)} modules`);
}

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
