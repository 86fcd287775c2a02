/** Which cluster the guides' commands act on, and with which kubectl. */
import { status } from "../../cluster/cluster";
import { UserError } from "../../cluster/errors";
import { say } from "../../cluster/report";
import { tryRun, which, type RunOptions } from "../../cluster/run";
import { DEFAULT_CLUSTER, findSettings, kubeconfigPath, type ClusterSettings } from "../../cluster/settings";
import { ensureTools } from "../../cluster/toolCache";

/** The embedded cluster, when it is there and runs. */
export function embedded(): ClusterSettings | undefined {
  const settings = findSettings(DEFAULT_CLUSTER);
  const parts = settings ? status(DEFAULT_CLUSTER).parts : [];
  return settings && parts.length > 0 && parts.every((part) => part.pid) ? settings : undefined;
}

/** What the guides' commands act on: the embedded cluster when it runs and KUBECONFIG is not set; else kubectl's own choice. */
export function target(): ClusterSettings | undefined {
  return process.env.KUBECONFIG ? undefined : embedded();
}

/** Runs kubectl on the target; its output goes to the terminal. */
export async function kubectl(
  own: ClusterSettings | undefined,
  args: readonly string[],
  input?: string,
): Promise<void> {
  say(own ? `on the embedded cluster "${own.name}"` : "on the cluster of your kubeconfig");
  const { code, stderr } = await call(own, args, { input, onOutput: (text) => void process.stderr.write(text) });
  if (code !== 0)
    throw new UserError(stderr.trim() ? "kubectl failed: see its words above." : `kubectl failed (exit ${code}).`);
}

/** What `kubectl get` gives of the target. */
export async function get(own: ClusterSettings | undefined, ...args: string[]): Promise<unknown> {
  const { code, stdout, stderr } = await call(own, ["get", "-o", "json", ...args]);
  if (code !== 0) throw new UserError(`kubectl get ${args.join(" ")} failed: ${stderr.trim()}`);
  return JSON.parse(stdout);
}

async function call(own: ClusterSettings | undefined, args: readonly string[], options: RunOptions = {}) {
  const env = own ? { ...process.env, KUBECONFIG: kubeconfigPath(own) } : process.env;
  const program = which("kubectl") ?? (await ensureTools(["kubectl"])).kubectl;
  return tryRun(program, args, { ...options, env });
}
