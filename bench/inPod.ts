/** Starts a command as in a pod: a service account's files where the kubelet puts them, in a mount namespace of the command's own. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ControlPlane } from "../cluster/controlPlane";

export interface Pod {
  /** The command that runs `command` there. */
  around(command: readonly string[]): string[];
  /** Where the API server is. */
  env: Record<string, string>;
}

const script = `mount -t tmpfs none /var/run && mkdir -p /var/run/secrets/kubernetes.io &&
  ln -s "$0" /var/run/secrets/kubernetes.io/serviceaccount && exec "$@"`;

/** Keeps the account's files in `dir`. */
export function inPod(dir: string, { url, pki }: ControlPlane, namespace: string, token: string): Pod {
  mkdirSync(dir);
  copyFileSync(join(pki, "ca.crt"), join(dir, "ca.crt"));
  writeFileSync(join(dir, "namespace"), namespace);
  writeFileSync(join(dir, "token"), token);
  const { hostname, port } = new URL(url);
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return {
    around: (command) => ["unshare", ...asRoot, "--mount", "--", "sh", "-c", script, dir, ...command],
    env: { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port },
  };
}
