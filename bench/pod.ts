/** Where an operator runs as in a pod: a service account's files where the kubelet puts them, in a mount namespace of its own. */
import { copyFileSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Child, endsWithUs } from "../cluster/child";
import type { ControlPlane } from "../cluster/controlPlane";
import type { Program } from "./program";

const script = `mount -t tmpfs none /var/run && mkdir -p /var/run/secrets/kubernetes.io &&
  ln -s "$0" /var/run/secrets/kubernetes.io/serviceaccount && exec "$@"`;

/** Longer than any run. */
const TOKEN_S = 48 * 3600;

export class Pod {
  private constructor(
    private readonly dir: string,
    private readonly env: NodeJS.ProcessEnv,
  ) {}

  /** Makes a service account, which has no rights yet, and keeps its files in `dir`. */
  static async make(dir: string, { url, pki, client }: ControlPlane, namespace: string, account: string): Promise<Pod> {
    const accounts = `/api/v1/namespaces/${namespace}/serviceaccounts`;
    await client.json("POST", accounts, { metadata: { name: account } });
    const request = { spec: { expirationSeconds: TOKEN_S } };
    const { status } = await client.json<{ status: { token: string } }>(
      "POST",
      `${accounts}/${account}/token`,
      request,
    );
    mkdirSync(dir);
    copyFileSync(join(pki, "ca.crt"), join(dir, "ca.crt"));
    writeFileSync(join(dir, "namespace"), namespace);
    writeFileSync(join(dir, "token"), status.token);
    const { PATH, HOME } = process.env;
    const { hostname, port } = new URL(url);
    return new Pod(dir, { PATH, HOME, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port });
  }

  /** Starts a program in it, whose output goes to `log`. It ends with this process. */
  start({ command, env }: Program, flags: readonly string[], log: string): Child {
    const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
    const around = ["unshare", ...asRoot, "--mount", "--", "sh", "-c", script, this.dir];
    return new Child([...around, ...endsWithUs(), ...command, ...flags], log, { env: { ...env, ...this.env } });
  }
}

/** The name under which the audit log knows an account. */
export const userOf = (namespace: string, account: string): string => `system:serviceaccount:${namespace}:${account}`;
