/** Which cluster the guides' commands act on, and with which kubectl. */
import { status } from "../../cluster/cluster";
import { say } from "../../cluster/report";
import { run, which } from "../../cluster/run";
import { DEFAULT_CLUSTER, findSettings, kubeconfigPath, type ClusterSettings } from "../../cluster/settings";
import { ensureTools } from "../../cluster/toolCache";

/** The embedded cluster, when it is there and runs. */
export async function embedded(): Promise<ClusterSettings | undefined> {
  const settings = findSettings(DEFAULT_CLUSTER);
  const parts = settings ? (await status(DEFAULT_CLUSTER)).parts : [];
  return settings && parts.length > 0 && parts.every((part) => part.pid) ? settings : undefined;
}

/**
 * Runs kubectl on the cluster of KUBECONFIG when that is set, else on the embedded one when it runs, else on kubectl's
 * own default; its output goes to the terminal.
 */
export async function kubectl(args: readonly string[], input?: string): Promise<void> {
  const own = process.env.KUBECONFIG ? undefined : await embedded();
  const env = own ? { ...process.env, KUBECONFIG: kubeconfigPath(own) } : process.env;
  say(own ? `on the embedded cluster "${own.name}"` : "on the cluster of your kubeconfig");
  const program = which("kubectl") ?? (await ensureTools(["kubectl"])).kubectl;
  await run(program, args, { env, input, onOutput: (text) => void process.stdout.write(text) });
}
