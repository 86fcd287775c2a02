import type { Config, TlsMaterial } from "./config";

/** What KubeConfig puts into the options of an HTTPS request. */
interface Applied {
  headers?: Record<string, string>;
  ca?: string | Buffer;
  cert?: string | Buffer;
  key?: string | Buffer;
  servername?: string;
  rejectUnauthorized?: boolean;
}

/**
 * Credentials by exec plugin, OIDC or another auth provider, through the KubeConfig of @kubernetes/client-node. Importing it costs 85 MB
 * of memory, so nothing else does. `kubeconfig` is one document with a single cluster, user and context, its paths absolute.
 */
export async function externalCredentials(kubeconfig: object): Promise<Pick<Config, "tls" | "authorization">> {
  const { KubeConfig } = await import("@kubernetes/client-node").catch((error: unknown) => {
    throw new Error(
      "the kubeconfig's user has an exec plugin or auth provider, for which the package @kubernetes/client-node " +
        `must be installed: ${(error as Error).message}`,
      { cause: error },
    );
  });
  const load = () => {
    const loaded = new KubeConfig();
    loaded.loadFromString(JSON.stringify(kubeconfig));
    return loaded;
  };
  let current = load();
  let applied: { at: number; value: Applied } | undefined;
  let material: TlsMaterial = {};
  const apply = async (refresh = false): Promise<Applied> => {
    if (refresh) {
      current = load();
      applied = undefined;
    }
    if (!applied || performance.now() - applied.at > 10_000) {
      const value: Applied = {};
      await current.applyToHTTPSOptions(value as Parameters<typeof current.applyToHTTPSOptions>[0]);
      applied = { at: performance.now(), value };
    }
    return applied.value;
  };
  return {
    async tls() {
      const { ca, cert, key, servername, rejectUnauthorized } = await apply();
      const next = { ca: text(ca), cert: text(cert), key: text(key), servername, rejectUnauthorized };
      if (next.ca !== material.ca || next.cert !== material.cert || next.key !== material.key) material = next;
      return material;
    },
    async authorization(refresh) {
      return (await apply(refresh)).headers?.Authorization;
    },
  };
}

const text = (value: string | Buffer | undefined) => value?.toString();
