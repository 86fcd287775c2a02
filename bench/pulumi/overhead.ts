/**
 * What the components cost: `node --require tsx/cjs bench/pulumi/overhead.ts [rounds]`. `pulumi preview` and `pulumi up` of the
 * operator and a cache, by the components and by the same resources as plain @pulumi/kubernetes classes, in turns on the same
 * API server. Prints the fastest of both, for whatever else the machine does only adds, and their ratio; exits 1 when the
 * components take more than BOUND times as long.
 */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { buildPackage } from "../../build/buildPackage";
import { startControlPlane } from "../../cluster/controlPlane";
import { UserError } from "../../cluster/errors";
import { inFolder } from "../../cluster/folders";
import { repositoryRoot } from "../../cluster/paths";
import { pulumiEnvironment } from "../../cluster/pulumiHome";
import { say } from "../../cluster/report";
import { run } from "../../cluster/run";
import { main } from "../../cluster/cli/main";
import { plainProgram } from "./plainProgram";

const BOUND = 1.15;

const components = `
const { Memcached, MemcachedOperator } = require("./dist/components");
const operator = new MemcachedOperator("memcached-operator", { image: "operator:bench", skipAwait: true });
new Memcached("cache", { name: "cache", size: 3, skipAwait: true }, { dependsOn: operator });
`;

/** Runs `pulumi` on a stack. */
type Pulumi = (...args: string[]) => Promise<string>;
/** Seconds. */
type Times = Record<"preview" | "up", number[]>;

main(() =>
  inFolder("memcached-overhead", async (dir) => {
    const rounds = Number(process.argv[2] ?? 5);
    if (!(rounds >= 1)) throw new UserError("usage: overhead.ts [rounds]", 2);
    const controllers = ["garbage-collector-controller", "namespace-controller", "serviceaccount-controller"];
    const plane = await startControlPlane({ dir: join(dir, "control-plane"), controllers });
    try {
      const env = { ...(await pulumiEnvironment(join(dir, "state"))), KUBECONFIG: plane.kubeconfig };
      const ours = await project(join(dir, "components"), env, components);
      if ((await buildPackage(join(dir, "components", "dist"))) !== 0) throw new Error("the package does not build");
      const plain = await project(join(dir, "plain"), env, plainProgram());
      // The first round is not counted: it fills caches, and leaves the CRD.
      for (const pulumi of [ours, plain]) await round(pulumi);
      const times = { ours: newTimes(), plain: newTimes() };
      for (let i = 1; i <= rounds; i++) {
        say(`round ${i} of ${rounds}`);
        await round(ours, times.ours);
        await round(plain, times.plain);
      }
      process.exitCode = report(times.ours, times.plain) ? 0 : 1;
    } finally {
      await plane.stop();
    }
  }),
);

const newTimes = (): Times => ({ preview: [], up: [] });

/** Prints the comparison. Gives whether the bound is met. */
function report(ours: Times, plain: Times): boolean {
  console.log(`${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}`);
  const ratios = (["preview", "up"] as const).map((step) => {
    const [a, b] = [Math.min(...ours[step]), Math.min(...plain[step])];
    const verdict = `at most ${BOUND}: ${a / b <= BOUND ? "met" : "MISSED"}`;
    console.log(
      `${step}: components ${a.toFixed(2)} s, plain ${b.toFixed(2)} s, ratio ${(a / b).toFixed(2)} (${verdict})`,
    );
    return a / b;
  });
  return ratios.every((ratio) => ratio <= BOUND);
}

/** Makes a project of a program, and its stack. */
async function project(folder: string, env: NodeJS.ProcessEnv, program: string): Promise<Pulumi> {
  mkdirSync(folder);
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "bench", private: true, main: "index.js" }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime }));
  writeFileSync(join(folder, "index.js"), program);
  const pulumi: Pulumi = (...args) => run("pulumi", [...args, "--non-interactive"], { cwd: folder, env });
  await pulumi("stack", "init", folder.slice(folder.lastIndexOf("/") + 1));
  return pulumi;
}

/** Previews, creates and destroys the stack, and notes how long the first two take. */
async function round(pulumi: Pulumi, times?: Times): Promise<void> {
  const timed = async (step: "preview" | "up", ...flags: string[]) => {
    const start = performance.now();
    await pulumi(step, ...flags);
    times?.[step].push((performance.now() - start) / 1000);
  };
  await timed("preview");
  await timed("up", "--yes", "--skip-preview");
  await pulumi("destroy", "--yes", "--skip-preview");
}
