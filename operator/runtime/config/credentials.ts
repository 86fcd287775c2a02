import type { KubeConfig } from "@kubernetes/client-node";
import type { RequestOptions } from "node:https";
import type { Config } from "./config";
import { sharedRun } from "./sharedRun";

/**
 * The credentials of a kubeconfig, its OIDC and other auth providers included, as KubeConfig gives them: it reads files anew each time, and
 * knows until when a provider's token is good. `load` makes one that remembers no earlier token.
 */
export function credentialsOf(load: () => KubeConfig): Pick<Config, "tls" | "authorization"> {
  let kubeConfig = load();
  const ask = sharedRun(
    async (refresh) => {
      if (refresh) kubeConfig = load();
      const options: RequestOptions = {};
      await kubeConfig.applyToHTTPSOptions(options);
      return options;
    },
    () => 0,
  );
  return {
    async tls() {
      const { servername, rejectUnauthorized, ...options } = await ask();
      const [ca, cert, key] = [options.ca, options.cert, options.key].map((pem) => pem?.toString());
      return { ca, cert, key, servername, rejectUnauthorized };
    },
    async authorization(refresh) {
      const { headers, auth } = await ask(refresh);
      const { Authorization } = headers as { Authorization?: string };
      if (Authorization || !auth) return Authorization?.trim();
      return `Basic ${Buffer.from(auth).toString("base64")}`;
    },
  };
}
