/**
 * What the components cost: `node --require tsx/cjs bench/pulumi/overhead.ts [rounds]`. `pulumi preview` and `pulumi up` of the
 * operator and a cache, by the components and by the same resources as plain @pulumi/kubernetes classes, in turns on the same
 * API server. Prints the fastest of both, for whatever else the machine does only adds, and their ratio; exits 1 when the
 * components take more than BOUND times as long.
 */
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane } from "../../cluster/controlPlane";
import { UserError } from "../../cluster/errors";
import { repositoryRoot } from "../../cluster/paths";
import { pulumiEnvironment } from "../../cluster/pulumiHome";
import { say } from "../../cluster/report";
import { run } from "../../cluster/run";
import { buildPackage } from "../../build/buildPackage";
import { main } from "../../cluster/cli/main";
import { plainProgram, type StateResource } from "./plainProgram";

const BOUND = 1.15;

// Nothing runs pods here, and what is compared is Pulumi's share: so neither waits for them.
const components = `
const { Memcached, MemcachedOperator } = require("./dist/components");
const operator = new MemcachedOperator("memcached-operator", { image: "operator:bench", skipAwait: true });
new Memcached("cache", { name: "cache", size: 3, skipAwait: true }, { dependsOn: operator });
`;

type Program = "components" | "plain";
type Step = "preview" | "up";
interface Cost {
  /** Seconds on the clock. */
  wall: number;
  /** Seconds of CPU: of the engine, the program and the plugins. */
  cpu: number;
}
interface Project {
  dir: string;
  env: NodeJS.ProcessEnv;
}

main(async () => {
  const rounds = Number(process.argv[2] ?? 5);
  if (!Number.isInteger(rounds) || rounds < 1)
    throw new UserError("usage: overhead.ts [rounds], a whole number from 1 up");
  const dir = mkdtempSync(join(tmpdir(), "memcached-overhead-"));
  const controllers = ["garbage-collector-controller", "namespace-controller", "serviceaccount-controller"];
  const plane = await startControlPlane({ dir: join(dir, "control-plane"), controllers });
  try {
    const env = { ...(await pulumiEnvironment(join(dir, "state"))), KUBECONFIG: plane.kubeconfig };
    const costs: Record<Program, Record<Step, Cost[]>> = {
      components: { preview: [], up: [] },
      plain: { preview: [], up: [] },
    };
    const componentsProject = await project(dir, env, "components", components);
    if ((await buildPackage(join(componentsProject.dir, "dist"))) !== 0) throw new Error("the package does not build");
    // The first round is not counted: it fills caches, leaves the CRD, and says what the plain program is.
    let resources: StateResource[] = [];
    await round(componentsProject, async () => {
      const state = JSON.parse(await pulumi(componentsProject, "stack", "export")) as State;
      resources = state.deployment.resources;
    });
    const projects = {
      components: componentsProject,
      plain: await project(dir, env, "plain", plainProgram(resources)),
    };
    await round(projects.plain);
    for (let i = 0; i < rounds; i++)
      for (const name of i % 2 === 0 ? (["components", "plain"] as const) : (["plain", "components"] as const)) {
        const took = await round(projects[name]);
        for (const step of ["preview", "up"] as const) costs[name][step].push(took[step]);
        say(`round ${i + 1}, ${name}: preview ${took.preview.wall.toFixed(2)} s, up ${took.up.wall.toFixed(2)} s`);
      }
    process.exitCode = report(costs, rounds) ? 0 : 1;
  } finally {
    await plane.stop();
    rmSync(dir, { recursive: true, force: true });
  }
});

interface State {
  deployment: { resources: StateResource[] };
}

/** Prints the comparison. Gives whether the bound is met. */
function report(costs: Record<Program, Record<Step, Cost[]>>, rounds: number): boolean {
  const date = new Date().toISOString().slice(0, 10);
  console.log(`${date}, ${cpus().length} × ${cpus()[0]?.model}, Node ${process.versions.node}, fastest of ${rounds}`);
  const met = (["preview", "up"] as const).map((step) => {
    const least = (program: Program, what: keyof Cost) => Math.min(...costs[program][step].map((cost) => cost[what]));
    const line = (what: keyof Cost) => {
      const [ours, plain] = [least("components", what), least("plain", what)];
      return { ratio: ours / plain, text: `components ${ours.toFixed(2)} s, plain ${plain.toFixed(2)} s, ratio ` };
    };
    const [wall, cpu] = [line("wall"), line("cpu")];
    const verdict = wall.ratio <= BOUND ? "met" : "MISSED";
    console.log(`${step.padEnd(8)} ${wall.text}${wall.ratio.toFixed(2)} (at most ${BOUND}: ${verdict})`);
    console.log(`     CPU ${cpu.text}${cpu.ratio.toFixed(2)}`);
    return wall.ratio <= BOUND;
  });
  return met.every(Boolean);
}

async function project(dir: string, env: NodeJS.ProcessEnv, name: Program, program: string): Promise<Project> {
  const folder = join(dir, name);
  mkdirSync(folder);
  symlinkSync(join(repositoryRoot, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ name, private: true, main: "index.js" }));
  const runtime = { name: "nodejs", options: { typescript: false } };
  writeFileSync(join(folder, "Pulumi.yaml"), JSON.stringify({ name: "bench", runtime }));
  writeFileSync(join(folder, "index.js"), program);
  const made = { dir: folder, env };
  await pulumi(made, "stack", "init", name);
  return made;
}

/** Previews, creates and destroys the stack. Gives the costs of the first two; `whenUp` runs in between. */
async function round(of: Project, whenUp?: () => Promise<void>): Promise<Record<Step, Cost>> {
  const preview = await timed(of, "preview");
  const up = await timed(of, "up", "--yes", "--skip-preview");
  await whenUp?.();
  await pulumi(of, "destroy", "--yes", "--skip-preview");
  return { preview, up };
}

/** The shell adds up the CPU of all that a command started and waited for. */
async function timed({ dir, env }: Project, ...args: string[]): Promise<Cost> {
  const script = `TIMEFORMAT="%U %S"; { time pulumi "$@" --non-interactive; } 2>&1`;
  const start = performance.now();
  const printed = await run("bash", ["-ec", script, "timed", ...args], { cwd: dir, env });
  const wall = (performance.now() - start) / 1000;
  const [user = NaN, system = NaN] = printed.trim().split("\n").at(-1)!.split(" ").map(Number);
  return { wall, cpu: user + system };
}

const pulumi = ({ dir, env }: Project, ...args: string[]): Promise<string> =>
  run("pulumi", [...args, "--non-interactive"], { cwd: dir, env });
