import { readFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import type { Config, TlsMaterial } from "./config";
import { execCredentials } from "./execCredentials";
import { type ExecConfig, checkExec, clusterExtension } from "./execPlugin";
import { externalCredentials } from "./external";
import { RotatedFile, certificateMaxAgeMs } from "./file";

interface Cluster {
  server?: string;
  "certificate-authority"?: string;
  "certificate-authority-data"?: string;
  "insecure-skip-tls-verify"?: boolean;
  "tls-server-name"?: string;
  "proxy-url"?: string;
  "disable-compression"?: boolean;
  extensions?: { name: string; extension: unknown }[];
}

interface User {
  "client-certificate"?: string;
  "client-certificate-data"?: string;
  "client-key"?: string;
  "client-key-data"?: string;
  token?: string;
  tokenFile?: string;
  username?: string;
  password?: string;
  exec?: ExecConfig;
  "auth-provider"?: object;
}

interface Context {
  cluster: string;
  user?: string;
  namespace?: string;
}

interface Found<T> {
  value: T;
  /** Relative paths in a kubeconfig are relative to its folder. */
  dir: string;
}

/**
 * Reads kubeconfig files as kubectl does: the first file that names a thing wins. Only auth providers need @kubernetes/client-node, which
 * is loaded then and only then.
 */
export async function readKubeconfig(paths: string[]): Promise<Config> {
  const docs = await Promise.all(paths.map(readDocument));
  const where = paths.join(", ");
  const name = docs.map((d) => d.doc["current-context"]).find((v) => typeof v === "string" && v !== "");
  if (typeof name !== "string") throw new Error(`${where}: current-context is not set; run kubectl config use-context`);
  const context = find<Context>(docs, "contexts", "context", name)?.value;
  if (!context) throw new Error(`${where}: there is no context "${name}"`);
  const cluster = find<Cluster>(docs, "clusters", "cluster", context.cluster);
  if (!cluster?.value.server)
    throw new Error(`${where}: cluster "${context.cluster}" of context "${name}" has no server`);
  const user = context.user ? find<User>(docs, "users", "user", context.user) : undefined;
  if (context.user && !user) throw new Error(`${where}: there is no user "${context.user}" (context "${name}")`);
  return {
    server: serverUrl(cluster.value.server, where),
    namespace: context.namespace,
    proxyUrl: cluster.value["proxy-url"],
    ...(await credentialsOf(cluster, user, where)),
  };
}

async function credentialsOf(
  cluster: Found<Cluster>,
  user: Found<User> | undefined,
  where: string,
): Promise<Pick<Config, "tls" | "authorization">> {
  const tls = tlsOf(cluster, user);
  if (user?.value.exec) {
    const { exec } = user.value;
    checkExec(exec, where);
    const command = exec.command?.includes("/") ? resolve(user.dir, exec.command) : exec.command;
    const info = () => (exec.provideClusterInfo ? clusterInfo(cluster.value, tls) : Promise.resolve(undefined));
    return execCredentials({ ...exec, command }, tls, info);
  }
  if (user?.value["auth-provider"]) return externalCredentials(single(cluster, user));
  return { tls, authorization: authorizationOf(user) };
}

/** What a plugin is told of the cluster: client.authentication.k8s.io's Cluster. A CA in a file is told by its content. */
async function clusterInfo(cluster: Cluster, tls: Config["tls"]): Promise<object> {
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

/** A kubeconfig of one cluster, user and context, which can be read from any folder. */
function single(cluster: Found<Cluster>, user: Found<User>): object {
  const name = "current";
  return {
    apiVersion: "v1",
    kind: "Config",
    "current-context": name,
    contexts: [{ name, context: { cluster: name, user: name } }],
    clusters: [{ name, cluster: absolute(cluster, ["certificate-authority"]) }],
    users: [{ name, user: absolute(user, ["client-certificate", "client-key"]) }],
  };
}

function absolute({ value, dir }: Found<object>, fields: string[]): object {
  const paths = Object.entries(value).filter(([field, path]) => fields.includes(field) && typeof path === "string");
  return { ...value, ...Object.fromEntries(paths.map(([field, path]) => [field, resolve(dir, path as string)])) };
}

async function readDocument(path: string): Promise<{ doc: Record<string, unknown>; dir: string }> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new Error(`cannot read kubeconfig ${path}: ${(error as Error).message}`, { cause: error });
  }
  try {
    const doc = await parse(text);
    if (typeof doc !== "object" || doc === null || Array.isArray(doc)) throw new Error("it is not a mapping");
    return { doc: doc as Record<string, unknown>, dir: dirname(resolve(path)) };
  } catch (error) {
    throw new Error(`kubeconfig ${path} is not valid: ${(error as Error).message}`, { cause: error });
  }
}

/** JSON is YAML that needs no parser of YAML, which is loaded only when it does: a pod, which has no kubeconfig, never does. */
async function parse(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return (await import("yaml")).parse(text);
  }
}

function find<T>(
  docs: { doc: Record<string, unknown>; dir: string }[],
  list: string,
  field: string,
  name: string,
): Found<T> | undefined {
  for (const { doc, dir } of docs) {
    const entries = Array.isArray(doc[list]) ? (doc[list] as Record<string, unknown>[]) : [];
    const entry = entries.find((e) => e?.name === name);
    if (entry) return { value: (entry[field] ?? {}) as T, dir };
  }
  return undefined;
}

/** Checked and without a trailing slash; a bare host name means https, as for kubectl. */
export function serverUrl(server: string, where: string): string {
  const text = /^https?:\/\//.test(server) ? server : `https://${server}`;
  if (!URL.canParse(text)) throw new Error(`${where}: server "${server}" is not a URL`);
  const url = new URL(text);
  return `${url.protocol}//${url.host}${url.pathname.replace(/\/+$/, "")}`;
}

function tlsOf(cluster: Found<Cluster>, user: Found<User> | undefined): Config["tls"] {
  const ca = source(cluster.value["certificate-authority-data"], cluster.value["certificate-authority"], cluster.dir);
  const cert = user && source(user.value["client-certificate-data"], user.value["client-certificate"], user.dir);
  const key = user && source(user.value["client-key-data"], user.value["client-key"], user.dir);
  const fixed: TlsMaterial = {
    servername: cluster.value["tls-server-name"],
    rejectUnauthorized: cluster.value["insecure-skip-tls-verify"] ? false : undefined,
  };
  let material: TlsMaterial | undefined;
  return async () => {
    const [caText, certText, keyText] = await Promise.all([ca?.(), cert?.(), key?.()]);
    if (!material || material.ca !== caText || material.cert !== certText || material.key !== keyText) {
      material = { ...fixed, ca: caText, cert: certText, key: keyText };
    }
    return material;
  };
}

/** Inline data wins over a path, as in client-go. */
function source(data: string | undefined, path: string | undefined, dir: string): (() => Promise<string>) | undefined {
  if (data) {
    const text = Buffer.from(data, "base64").toString("utf8");
    return () => Promise.resolve(text);
  }
  if (!path) return undefined;
  const file = new RotatedFile(resolve(dir, path), certificateMaxAgeMs);
  return () => file.read();
}

function authorizationOf(user: Found<User> | undefined): Config["authorization"] {
  if (!user) return () => Promise.resolve(undefined);
  const { token, tokenFile, username, password } = user.value;
  if (tokenFile) {
    const file = new RotatedFile(resolve(user.dir, tokenFile));
    return async (refresh) => `Bearer ${(await file.read(refresh)).trim()}`;
  }
  if (token) return () => Promise.resolve(`Bearer ${token.trim()}`);
  if (username) {
    const basic = Buffer.from(`${username}:${password ?? ""}`).toString("base64");
    return () => Promise.resolve(`Basic ${basic}`);
  }
  return () => Promise.resolve(undefined);
}
