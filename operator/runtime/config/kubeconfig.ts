import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config } from "./config";
import { credentialsOf } from "./credentials";
import { execCredentials } from "./execCredentials";
import { type ExecConfig, checkExec, clusterExtension } from "./execPlugin";
import { RotatedFile } from "./rotatedFile";

interface Kubeconfig {
  "current-context"?: string;
  contexts?: object[];
  clusters?: { name?: string; cluster?: RawCluster }[];
  users?: { name?: string; user?: RawUser }[];
}

interface RawCluster {
  extensions?: { name: string; extension: unknown }[];
  [field: string]: unknown;
}

interface RawUser {
  tokenFile?: string;
  exec?: ExecConfig;
  [field: string]: unknown;
}

/**
 * Reads kubeconfig files as kubectl does: the first file that names a thing wins. What they mean is told by the KubeConfig of
 * @kubernetes/client-node, which knows nothing of `tokenFile` and of what a cluster holds for exec plugins; its own exec plugins are told nothing.
 */
export async function readKubeconfig(paths: string[]): Promise<Config> {
  const raw = merged(await Promise.all(paths.map(readDocument)));
  // Imported when there is a kubeconfig: it costs 28 MB of memory, and a pod has none.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const read = new KubeConfig();
  read.loadFromString(JSON.stringify(raw), { onInvalidEntry: "filter" });
  const where = paths.join(", ");
  const name = read.getCurrentContext();
  if (!name) throw new Error(`${where}: current-context is not set; run kubectl config use-context`);
  const context = read.getContextObject(name);
  if (!context) throw new Error(`${where}: there is no context "${name}"`);
  const cluster = read.getCluster(context.cluster);
  if (!cluster) throw new Error(`${where}: cluster "${context.cluster}" of context "${name}" has no server`);
  const user = context.user ? read.getUser(context.user) : { name: "" };
  if (!user) throw new Error(`${where}: there is no user "${context.user}" (context "${name}")`);

  const credentials = credentialsOf(() => {
    const kubeConfig = new KubeConfig();
    // KubeConfig makes an agent as well, and none for plain HTTP; no one uses it.
    const reached = { ...cluster, server: "https://unused", proxyUrl: undefined };
    kubeConfig.loadFromClusterAndUser(reached, { ...user, exec: undefined });
    return kubeConfig;
  });
  const rawCluster = raw.clusters?.find((each) => each.name === cluster.name)?.cluster ?? {};
  const { exec, tokenFile } = raw.users?.find((each) => each.name === user.name)?.user ?? {};
  const { namespace } = context;
  const server = serverUrl(String(rawCluster.server), where);
  const config = { server, namespace, proxyUrl: cluster.proxyUrl, ...credentials };
  if (exec) {
    checkExec(exec, where);
    const info = async () => (exec.provideClusterInfo ? clusterInfo(rawCluster, credentials.tls) : undefined);
    return { ...config, ...execCredentials(exec, credentials.tls, info) };
  }
  if (tokenFile) {
    const file = new RotatedFile(tokenFile);
    return { ...config, authorization: async (refresh) => `Bearer ${(await file.read(refresh)).trim()}` };
  }
  return config;
}

/** What a plugin is told of the cluster: client.authentication.k8s.io's Cluster. A CA in a file is told by its content. */
async function clusterInfo(cluster: RawCluster, tls: Config["tls"]): Promise<object> {
  const { ca } = await tls();
  return {
    server: cluster.server,
    "tls-server-name": cluster["tls-server-name"],
    "insecure-skip-tls-verify": cluster["insecure-skip-tls-verify"],
    "certificate-authority-data": ca && Buffer.from(ca).toString("base64"),
    "proxy-url": cluster["proxy-url"],
    "disable-compression": cluster["disable-compression"],
    config: cluster.extensions?.find(({ name }) => name === clusterExtension)?.extension,
  };
}

/** Of two things of one name KubeConfig takes the first. */
function merged(files: Kubeconfig[]): Kubeconfig {
  return {
    "current-context": files.map((file) => file["current-context"]).find(Boolean),
    contexts: files.flatMap(({ contexts }) => contexts ?? []),
    clusters: files.flatMap(({ clusters }) => clusters ?? []),
    users: files.flatMap(({ users }) => users ?? []),
  };
}

/** One file, its paths made absolute: they are relative to its folder. */
async function readDocument(path: string): Promise<Kubeconfig> {
  const text = await readFile(path, "utf8").catch((error: Error) => {
    throw new Error(`cannot read kubeconfig ${path}: ${error.message}`, { cause: error });
  });
  try {
    const { parse } = await import("yaml");
    const file = parse(text) as Kubeconfig | null;
    if (typeof file !== "object" || file === null || Array.isArray(file)) throw new Error("it is not a mapping");
    const dir = dirname(resolve(path));
    for (const { cluster } of file.clusters ?? []) settle(cluster, "certificate-authority", dir);
    for (const { user } of file.users ?? []) {
      settle(user, "client-certificate", dir);
      settle(user, "client-key", dir);
      if (user?.tokenFile) user.tokenFile = resolve(dir, user.tokenFile);
      if (user?.exec?.command?.includes("/")) user.exec.command = resolve(dir, user.exec.command);
    }
    return file;
  } catch (error) {
    throw new Error(`kubeconfig ${path} is not valid: ${(error as Error).message}`, { cause: error });
  }
}

/** A path, or none where the same is there as data, which wins in client-go and loses in KubeConfig. */
function settle(fields: Record<string, unknown> | undefined, name: string, dir: string): void {
  const path = fields?.[name];
  if (!fields || typeof path !== "string") return;
  fields[name] = fields[`${name}-data`] ? undefined : resolve(dir, path);
}

/** Checked and without a trailing slash; a bare host name means https, as for kubectl. */
function serverUrl(server: string, where: string): string {
  const text = /^https?:\/\//.test(server) ? server : `https://${server}`;
  if (!URL.canParse(text)) throw new Error(`${where}: server "${server}" is not a URL`);
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}
