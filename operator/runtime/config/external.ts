import type { Config, TlsMaterial } from "./config";

/** How long credentials serve; KubeConfig itself knows when they expire. */
const maxAgeMs = 10_000;
/** A refresh asked for so soon after another shares its result. */
const sharedMs = 1_000;

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
 * Credentials by OIDC or another auth provider, through the KubeConfig of @kubernetes/client-node. Importing it costs 85 MB
 * of memory, so nothing else does. `kubeconfig` is one document with a single cluster, user and context, its paths absolute.
 */
export async function externalCredentials(kubeconfig: object): Promise<Pick<Config, "tls" | "authorization">> {
  const { KubeConfig } = await import("@kubernetes/client-node").catch((error: unknown) => {
    throw new Error(
      "the kubeconfig's user has an auth provider, for which the package @kubernetes/client-node " +
        `must be installed: ${(error as Error).message}`,
      { cause: error },
    );
  });
  const options = async (config: InstanceType<typeof KubeConfig>): Promise<Applied> => {
    const value: Applied = {};
    await config.applyToHTTPSOptions(value as Parameters<typeof config.applyToHTTPSOptions>[0]);
    return value;
  };
  const load = () => {
    const loaded = new KubeConfig();
    loaded.loadFromString(JSON.stringify(kubeconfig));
    return loaded;
  };
  let current = load();
  let applied: { at: number; refreshed: boolean; value: Promise<Applied> } | undefined;
  let material: TlsMaterial = {};
  /** Many requests may be refused at once: one refresh serves them all. */
  const apply = (refresh = false): Promise<Applied> => {
    if (applied) {
      const limitMs = !refresh ? maxAgeMs : applied.refreshed ? sharedMs : -Infinity;
      if (performance.now() - applied.at <= limitMs) return applied.value;
    }
    if (refresh) current = load();
    const next = { at: Infinity, refreshed: refresh, value: options(current) };
    applied = next;
    next.value.then(
      () => (next.at = performance.now()),
      () => (next.at = -Infinity),
    );
    return next.value;
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
