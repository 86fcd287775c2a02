import { isIPv6 } from "node:net";
import { join } from "node:path";
import type { Config } from "./config";
import { RotatedFile, certificateMaxAgeMs } from "./rotatedFile";

const serviceAccountDir = "/var/run/secrets/kubernetes.io/serviceaccount";
export const serviceAccountToken = join(serviceAccountDir, "token");

/**
 * The pod's own service account. `KUBERNETES_SERVICE_HOST` may be a bare IPv6 address. Rejects when the variables or the token are
 * missing. `dir` is where the kubelet projects the account.
 */
export async function inClusterConfig(env: NodeJS.ProcessEnv, dir = serviceAccountDir): Promise<Config> {
  const host = env.KUBERNETES_SERVICE_HOST;
  if (!host) throw new Error("KUBERNETES_SERVICE_HOST is not set: this process does not run in a pod");
  const token = new RotatedFile(join(dir, "token"));
  const ca = new RotatedFile(join(dir, "ca.crt"), certificateMaxAgeMs);
  await token.read();
  const namespace = await new RotatedFile(join(dir, "namespace")).read().catch(() => undefined);
  return {
    server: `https://${bracket(host)}:${env.KUBERNETES_SERVICE_PORT ?? "443"}`,
    inCluster: true,
    namespace: namespace?.trim() || undefined,
    tls: async () => ({ ca: await ca.read() }),
    authorization: async (refresh) => `Bearer ${(await token.read(refresh)).trim()}`,
  };
}

const bracket = (host: string) => (isIPv6(host) ? `[${host}]` : host);
