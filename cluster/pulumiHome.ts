/** The Pulumi engine as this repository runs it: built tools, a home of its own, no account and no downloads. */
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, linkSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheDir, repositoryRoot } from "./paths";
import { ensureTools } from "./toolCache";
import { PROVIDER, pulumiTools, type ToolName } from "./toolList";

/**
 * The environment to run `pulumi` in. State goes to `backendDir` (made if needed), never to the user's own `~/.pulumi`;
 * the passphrase is empty, for nothing secret is in these stacks.
 */
export async function pulumiEnvironment(backendDir: string): Promise<NodeJS.ProcessEnv & { PULUMI_HOME: string }> {
  const tools = await ensureTools(pulumiTools);
  const home = ensureHome(tools);
  mkdirSync(backendDir, { recursive: true });
  const path = [join(home, "bin"), dirname(process.execPath), process.env.PATH ?? ""];
  return {
    ...process.env,
    PATH: path.join(delimiter),
    PULUMI_HOME: home,
    PULUMI_BACKEND_URL: `file://${backendDir}`,
    PULUMI_CONFIG_PASSPHRASE: "",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
  };
}

/** The provider of dynamic resources: a script of @pulumi/pulumi. */
const DYNAMIC_PROVIDER = join(repositoryRoot, "node_modules/@pulumi/pulumi/pulumi-resource-pulumi-nodejs");

/**
 * Lays a home out as an installation of Pulumi is, one for each set of tools: the engine takes the hosts that lie in its
 * own folder and the providers under `plugins` without a warning. Links to files, for it resolves symbolic ones.
 */
function ensureHome(tools: Record<ToolName, string>): string {
  const key = createHash("sha256").update(JSON.stringify(pulumiTools.map((name) => tools[name])));
  const home = join(cacheDir(), `pulumi-home-${key.digest("hex").slice(0, 12)}`);
  if (existsSync(home)) return home;
  const unfinished = `${home}.${process.pid}`;
  const provider = join(unfinished, "plugins", `resource-kubernetes-v${PROVIDER}`);
  mkdirSync(join(unfinished, "bin"), { recursive: true });
  mkdirSync(provider, { recursive: true });
  place(tools["pulumi-resource-kubernetes"], provider);
  for (const program of [tools.pulumi, tools["pulumi-language-nodejs"], DYNAMIC_PROVIDER])
    place(program, join(unfinished, "bin"));
  try {
    renameSync(unfinished, home);
  } catch (error) {
    // Another process was as quick.
    if (!existsSync(home)) throw error;
    rmSync(unfinished, { recursive: true });
  }
  return home;
}

function place(file: string, folder: string): void {
  const target = join(folder, file.slice(file.lastIndexOf("/") + 1));
  try {
    linkSync(file, target);
  } catch {
    copyFileSync(file, target);
  }
}
