import type { KubeConfig } from "@kubernetes/client-node";
import type { RequestOptions } from "node:https";
import type { Config, TlsMaterial } from "./config";

/** How long an answer serves, since files rotate. Until when the token of an auth provider is good, KubeConfig knows by itself. */
const maxAgeMs = 1_000;

interface Answer {
  options: Promise<RequestOptions>;
  refreshed: boolean;
  /** By `performance.now()`. */
  at: number;
}

/**
 * The credentials of a kubeconfig, its OIDC and other auth providers included, as KubeConfig gives them. `load` makes one that remembers no
 * earlier token.
 */
export function credentialsOf(load: () => KubeConfig): Pick<Config, "tls" | "authorization"> {
  let kubeConfig = load();
  let last: Answer | undefined;
  let material: TlsMaterial = {};
  /** Many requests may be refused at once: one refresh serves them all. */
  const ask = (refresh = false): Promise<RequestOptions> => {
    if (last && performance.now() - last.at <= maxAgeMs && (last.refreshed || !refresh)) return last.options;
    if (refresh) kubeConfig = load();
    const answer: Answer = { options: optionsOf(kubeConfig), refreshed: refresh, at: Infinity };
    const settled = () => (answer.at = performance.now());
    answer.options.then(settled, settled);
    last = answer;
    return answer.options;
  };
  return {
    async tls() {
      const { servername, rejectUnauthorized, ...options } = await ask();
      const [ca, cert, key] = [options.ca, options.cert, options.key].map((pem) => pem?.toString());
      if (ca !== material.ca || cert !== material.cert || key !== material.key)
        material = { ca, cert, key, servername, rejectUnauthorized };
      return material;
    },
    async authorization(refresh) {
      const { headers, auth } = await ask(refresh);
      const { Authorization } = headers as { Authorization?: string };
      if (Authorization || !auth) return Authorization?.trim();
      return `Basic ${Buffer.from(auth).toString("base64")}`;
    },
  };
}

async function optionsOf(kubeConfig: KubeConfig): Promise<RequestOptions> {
  const options: RequestOptions = {};
  await kubeConfig.applyToHTTPSOptions(options);
  return options;
}
