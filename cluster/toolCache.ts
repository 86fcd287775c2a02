/** Finds or builds tools. What is built is kept under a key of its sources and flags, so that nothing is built twice. */
import { createHash } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { findGo, goEnv } from "./go";
import { withLock } from "./lock";
import { cacheDir, repositoryRoot } from "./paths";
import { step } from "./report";
import { run, tryRun, which } from "./run";
import { tools, type Tool, type ToolModule, type ToolName } from "./toolList";

// No debug information: a fifth less to compile and half as large.
const BUILD_FLAGS = ["-trimpath", "-mod=readonly", "-gcflags=all=-dwarf=false"];

/** Full paths of the tools asked for. Builds those that are neither on PATH in a fitting version nor in the cache. */
export async function ensureTools(names: readonly ToolName[]): Promise<Record<ToolName, string>> {
  const found = {} as Record<ToolName, string>;
  const missing = new Map<ToolModule, ToolName[]>();
  for (const name of names) {
    const tool: Tool = tools[name];
    const path = builtPath(name);
    const there = existsSync(path) ? path : await onPath(name, tool);
    if (there) found[name] = there;
    else missing.set(tool.module, [...(missing.get(tool.module) ?? []), name]);
  }
  for (const [module, group] of missing) {
    await build(module, group);
    for (const name of group) found[name] = builtPath(name);
  }
  return found;
}

async function onPath(name: string, tool: Tool): Promise<string | undefined> {
  const path = tool.onPath && which(name);
  if (!path || !tool.onPath) return undefined;
  try {
    const { stdout, stderr } = await tryRun(path, tool.onPath.args, { timeoutMs: 20_000 });
    return tool.onPath.accepts(stdout + stderr) ? path : undefined;
  } catch {
    return undefined;
  }
}

const moduleDir = (module: ToolModule): string => join(repositoryRoot, "cluster", "tools", module.folder);

function sources(dir: string, prefix = ""): string[] {
  return readdirSync(join(dir, prefix), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((e) => (e.isDirectory() ? sources(dir, `${prefix}${e.name}/`) : [`${prefix}${e.name}`]));
}

/** Cache folder of a module's tools: the hash of everything that goes into them. */
function moduleCache(module: ToolModule): string {
  const hash = createHash("sha256").update(JSON.stringify([module, BUILD_FLAGS, process.platform, process.arch]));
  const dir = moduleDir(module);
  for (const file of sources(dir)) hash.update(file).update(readFileSync(join(dir, file)));
  return join(cacheDir(), "tools", `${module.folder}-${hash.digest("hex").slice(0, 16)}`);
}

const builtPath = (name: ToolName): string => join(moduleCache(tools[name].module), "bin", name);

async function build(module: ToolModule, names: ToolName[]): Promise<void> {
  const cache = moduleCache(module);
  mkdirSync(cache, { recursive: true });
  await withLock(join(cache, "lock"), `another build of ${module.folder}`, async () => {
    const wanted = names.filter((name) => !existsSync(builtPath(name)));
    if (wanted.length === 0) return;
    const go = await findGo(wanted.join(", "));
    await step(`building ${wanted.join(", ")} from Go modules`, () => compile(go, module, cache, wanted));
  });
}

/** Compiles into a folder of its own and moves each finished file: a tool in the cache is always whole. */
async function compile(go: string, module: ToolModule, cache: string, names: ToolName[]): Promise<void> {
  const work = join(cache, "src");
  const out = join(cache, "unfinished");
  rmSync(work, { recursive: true, force: true });
  cpSync(moduleDir(module), work, { recursive: true });
  const env = goEnv();
  if (module.embeds) await embed(go, module.embeds, work, env);
  const packages = names.map((name) => tools[name].package);
  const limit = { cwd: work, env, timeoutMs: 3_600_000 };
  await run(go, ["build", ...BUILD_FLAGS, "-ldflags", `-s -w ${module.ldflags}`, "-o", `${out}/`, ...packages], limit);
  mkdirSync(join(cache, "bin"), { recursive: true });
  for (const name of names) {
    const tool: Tool = tools[name];
    for (const { module, file } of tool.beside ?? []) {
      const target = join(cache, "bin", basename(file));
      copyFileSync(join(await moduleSource(go, module, work, env), file), target);
      chmodSync(target, 0o755);
    }
    const built = join(out, tool.builtAs ?? name);
    await verify(go, built, tool.package);
    renameSync(built, builtPath(name));
  }
  rmSync(out, { recursive: true });
}

/** Makes sure that a file is the program meant: a wrong one in the cache would stay there for good. */
async function verify(go: string, file: string, wanted: string): Promise<void> {
  const path = /^\tpath\t(\S+)$/m.exec(await run(go, ["version", "-m", file]))?.[1] ?? "none";
  if (path !== wanted && !(wanted.startsWith("./") && path.endsWith(wanted.slice(1))))
    throw new Error(`the build made ${path}, not ${wanted}`);
}

/** The folder of a module's sources, downloaded if need be. */
async function moduleSource(go: string, module: string, work: string, env: NodeJS.ProcessEnv): Promise<string> {
  await run(go, ["mod", "download", module], { cwd: work, env });
  return (await run(go, ["list", "-m", "-f", "{{.Dir}}", module], { cwd: work, env })).trim();
}

async function embed(go: string, embeds: NonNullable<ToolModule["embeds"]>, work: string, env: NodeJS.ProcessEnv) {
  const dir = await moduleSource(go, embeds.module, work, env);
  for (const { from, to, setVersion } of embeds.files) {
    const text = readFileSync(join(dir, from), "utf8");
    const out = setVersion ? JSON.stringify({ ...(JSON.parse(text) as object), version: setVersion }) : text;
    writeFileSync(join(work, to), out);
  }
}
