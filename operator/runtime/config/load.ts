import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import type { Config } from "./config";
import { inClusterConfig, serviceAccountToken } from "./inCluster";
import { readKubeconfig } from "./kubeconfig";

export interface LoadOptions {
  /** Path of a kubeconfig; wins over everything else. */
  kubeconfig?: string;
  env?: NodeJS.ProcessEnv;
}

/**
 * Finds the API server as controller-runtime does: the given kubeconfig, `KUBECONFIG` (a list of files), the pod's service
 * account, `~/.kube/config`. Rejects with one sentence that says what is missing or wrong.
 */
export async function loadConfig(options: LoadOptions = {}): Promise<Config> {
  const env = options.env ?? process.env;
  if (options.kubeconfig) return readKubeconfig([options.kubeconfig]);
  const listed = (env.KUBECONFIG ?? "").split(delimiter).filter((path) => path !== "");
  if (listed.length > 0) return readKubeconfig(listed);
  if (env.KUBERNETES_SERVICE_HOST && (await exists(serviceAccountToken))) return inClusterConfig(env);
  const home = join(env.HOME ?? homedir(), ".kube", "config");
  if (await exists(home)) return readKubeconfig([home]);
  throw new Error(
    `no cluster is configured: give --kubeconfig, set KUBECONFIG, or run in a pod with a service account (looked for ${home})`,
  );
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  );
