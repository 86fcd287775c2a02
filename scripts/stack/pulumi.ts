/** The repository's own stack on the embedded cluster: its state lies in the cluster's folder, so both end together. */
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "../../cluster/errors";
import { repositoryRoot } from "../../cluster/paths";
import { pulumiEnvironment } from "../../cluster/pulumiHome";
import type { RunOptions } from "../../cluster/run";
import { kubeconfigPath, type ClusterSettings } from "../../cluster/settings";
import { say } from "../../cluster/report";
import { interruptible } from "./interruption";

/** The stack's name. */
export const STACK = "embedded";

/** Milliseconds for the longest of Pulumi's commands, which wait for the cluster. */
const LIMIT_MS = 900_000;

export interface Stack {
  /** `PULUMI_HOME`: `pulumi` and its hosts are in its `bin`, the Kubernetes provider in its `plugins`. */
  home: string;
  /** Flags that every command on the stack takes. */
  flags: string[];
  /** Runs `pulumi` and gives what it printed; what it prints goes to the terminal as well unless `quiet`. */
  pulumi(args: string[], quiet?: boolean): Promise<string>;
}

/** The folder of the stack's state. */
export const backend = (settings: ClusterSettings): string => join(settings.dir, "pulumi");

/** True when the stack was made on this cluster. */
export const hasStack = (settings: ClusterSettings): boolean => existsSync(join(backend(settings), ".pulumi"));

/** Selects the stack of a cluster, and says which it is; makes it if there is none. */
export async function selectStack(settings: ClusterSettings): Promise<Stack> {
  const unused = process.env.KUBECONFIG ? " (KUBECONFIG is not used here)" : "";
  say(`the stack of the embedded cluster "${settings.name}"${unused}`);
  const state = backend(settings);
  const temporary = join(settings.dir, "tmp");
  mkdirSync(temporary, { recursive: true });
  const env = {
    ...(await pulumiEnvironment(state)),
    KUBECONFIG: kubeconfigPath(settings),
    // Plugins leave files behind there, which end with the cluster.
    TMPDIR: temporary,
  };
  const flags = ["--stack", STACK, "--config-file", join(settings.dir, `Pulumi.${STACK}.yaml`)];
  const pulumi = async (args: string[], quiet = false, cwd = repositoryRoot) => {
    const options: RunOptions = { cwd, env, timeoutMs: LIMIT_MS };
    if (!quiet) options.onOutput = (text) => void process.stdout.write(text);
    const command = ["pulumi", "--non-interactive", ...args];
    const { code, stdout, stderr } = await interruptible("Pulumi", command, options);
    if (code !== 0)
      throw new UserError(`pulumi ${args[0]} failed: ${quiet ? (stderr || stdout).trim() : "see its words above."}`);
    return stdout;
  };
  // Making a stack writes its configuration beside the project file, and takes no other place for it.
  copyFileSync(join(repositoryRoot, "Pulumi.yaml"), join(settings.dir, "Pulumi.yaml"));
  await pulumi(["stack", "select", "--create", STACK], true, settings.dir);
  return { home: env.PULUMI_HOME, flags, pulumi };
}
