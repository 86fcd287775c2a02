/** Who races: how each is built and started. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { bundleOperator } from "../build/bundleOperator";
import { ensureTools } from "../cluster/toolCache";

export type Name = "ours" | "go";

export interface Contender {
  name: Name;
  title: string;
  /** Program and arguments, without those of a single measurement. */
  command: string[];
  env: Record<string, string>;
}

/** Builds both. `dir` takes the bundle; `workers` is how many resources each works on at a time. */
export async function contenders(dir: string, workers: number): Promise<Record<Name, Contender>> {
  const shared = [`--workers=${workers}`];
  const off = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
  const bundle = join(dir, "bundle");
  await bundleOperator(bundle);
  const dockerfile = readFileSync(join(bundle, "Dockerfile"), "utf8");
  const command = [...entrypoint(dockerfile, bundle), ...shared, ...off];
  const tools = await ensureTools(["controller-runtime"]);
  return {
    ours: { name: "ours", title: "this operator", command, env: environment(dockerfile) },
    go: { name: "go", title: "controller-runtime", command: [tools["controller-runtime"], ...shared], env: {} },
  };
}

/** How the image starts it: what its Dockerfile says, on this Node and from the bundle's folder. */
export function entrypoint(dockerfile: string, bundle: string): string[] {
  const text = /^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1];
  if (!text) throw new Error("operator/Dockerfile has no ENTRYPOINT in exec form");
  const [node, ...args] = JSON.parse(text) as string[];
  if (node !== "node") throw new Error(`operator/Dockerfile starts ${node}, not node`);
  return [process.execPath, ...args.map((arg) => (arg === "/main.js" ? join(bundle, "main.js") : arg))];
}

/** The variables that the image sets. */
export function environment(dockerfile: string): Record<string, string> {
  const pairs = dockerfile.matchAll(/^ENV (\w+)="?([^"\n]*?)"?$/gm);
  return Object.fromEntries(Array.from(pairs, ([, name = "", value = ""]) => [name, value]));
}
