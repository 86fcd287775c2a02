import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { spawnOperator } from "../../support/spawnOperator";
import type { Server } from "../api/server";

/** The bundle as it is in the image, run by this Node in an empty folder. */
export class Operator {
  output = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(bundle: string, args: string[], env: Record<string, string>) {
    this.child = spawnOperator(bundle, args, env, (text) => (this.output += text));
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.child.kill(signal);
    return this.ended;
  }
}

/** What the operator's own server on this port answers; code 0 when there is none. */
export function probe(port: number | undefined, path: string): Promise<{ code: number; text: string }> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    async (answer) => ({ code: answer.status, text: await answer.text() }),
    () => ({ code: 0, text: "" }),
  );
}

/** Writes a kubeconfig with a token of the ServiceAccount at this path into the folder, and gives its path. */
export async function accountKubeconfig(server: Server, account: string, folder: string): Promise<string> {
  const { status } = await server.client.json<{ status: { token: string } }>("POST", `${account}/token`, {
    apiVersion: "authentication.k8s.io/v1",
    kind: "TokenRequest",
    spec: {},
  });
  const cluster = { server: server.url, "certificate-authority": join(server.pki, "ca.crt") };
  const file = join(folder, "kubeconfig");
  writeFileSync(
    file,
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      clusters: [{ name: "c", cluster }],
      users: [{ name: "u", user: { token: status.token } }],
      contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
      "current-context": "x",
    }),
  );
  return file;
}
