/** Kubeconfigs of a cluster of ours: one user, one context, everything needed inside the file. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const base64 = (file: string): string => readFileSync(file).toString("base64");

/** Writes a kubeconfig that uses the certificate `user` of a PKI folder. JSON, which every reader of YAML takes. */
export function writeKubeconfig(file: string, name: string, server: string, pki: string, user: string): void {
  const config = {
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name, cluster: { server, "certificate-authority-data": base64(join(pki, "ca.crt")) } }],
    users: [
      {
        name: user,
        user: {
          "client-certificate-data": base64(join(pki, `${user}.crt`)),
          "client-key-data": base64(join(pki, `${user}.key`)),
        },
      },
    ],
    contexts: [{ name, context: { cluster: name, user } }],
    "current-context": name,
  };
  writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { mode: 0o600 });
}
