import type { Config } from "./config";
import { type ExecConfig, runPlugin } from "./execPlugin";
import { sharedRun } from "./sharedRun";

/**
 * Credentials by exec plugin. `base` gives the rest of what TLS needs; `cluster` what the plugin is told of the cluster.
 */
export function execCredentials(
  exec: ExecConfig,
  base: Config["tls"],
  cluster: () => Promise<object | undefined>,
  limitMs?: number,
): Pick<Config, "tls" | "authorization"> {
  const credentials = sharedRun(
    async () => runPlugin(exec, await cluster(), limitMs),
    ({ expirationTimestamp }) => (expirationTimestamp ? Date.parse(expirationTimestamp) : Infinity),
  );
  return {
    async tls() {
      const [rest, { clientCertificateData: cert, clientKeyData: key }] = await Promise.all([base(), credentials()]);
      return cert === undefined ? rest : { ...rest, cert, key };
    },
    async authorization(refresh) {
      const { token } = await credentials(refresh);
      return token ? `Bearer ${token}` : undefined;
    },
  };
}
