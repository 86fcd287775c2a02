/** The Pulumi engine as this repository runs it: built tools, a home of its own, no account and no downloads. */
import { mkdirSync, readlinkSync, rmSync, symlinkSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { cacheDir, repositoryRoot } from "./paths";
import { ensureTools } from "./toolCache";
import { PROVIDER, pulumiTools } from "./toolList";

/**
 * The environment to run `pulumi` in. State goes to `backendDir` (made if needed), never to the user's own `~/.pulumi`;
 * the passphrase is empty, for nothing secret is in these stacks.
 */
export async function pulumiEnvironment(backendDir: string): Promise<NodeJS.ProcessEnv> {
  const tools = await ensureTools(pulumiTools);
  const home = join(cacheDir(), "pulumi-home");
  const plugin = join(home, "plugins", `resource-kubernetes-v${PROVIDER}`);
  const program = join(plugin, "pulumi-resource-kubernetes");
  mkdirSync(plugin, { recursive: true });
  mkdirSync(backendDir, { recursive: true });
  linkTo(tools["pulumi-resource-kubernetes"], program);
  const path = [
    dirname(tools.pulumi),
    dirname(tools["pulumi-language-nodejs"]),
    dirname(process.execPath),
    // The provider of dynamic resources is a script of @pulumi/pulumi.
    join(repositoryRoot, "node_modules", "@pulumi", "pulumi"),
    process.env.PATH ?? "",
  ];
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

/** Makes `link` lead to `target`, whatever it led to before. */
function linkTo(target: string, link: string): void {
  try {
    if (readlinkSync(link) === target) return;
  } catch {
    // There is no link yet.
  }
  rmSync(link, { force: true });
  symlinkSync(target, link);
}
