/** What makes one embedded cluster different from another on the same machine: its name, folder and addresses. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { UserError } from "./errors";
import { withLock } from "./lock";
import { clustersDir } from "./paths";
import { run } from "./run";

/** The cluster that commands act on unless told otherwise. */
export const DEFAULT_CLUSTER = "memcached";

export interface ClusterSettings {
  name: string;
  /** State folder; everything of the cluster on disk is in it. */
  dir: string;
  /** Second octet of all its addresses, `10.SUBNET.0.0/16`. */
  subnet: number;
}

/** First and last second octet that clusters use. */
const FIRST_SUBNET = 200;
const LAST_SUBNET = 249;

/** The addresses of a cluster, each derived from its subnet. */
export function addresses({ subnet }: Pick<ClusterSettings, "subnet">) {
  const net = `10.${subnet}`;
  return {
    /** Everything of the cluster. */
    all: `${net}.0.0/16`,
    pods: `${net}.0.0/24`,
    /** The bridge's own address, the pods' gateway; the cluster's DNS listens there. */
    gateway: `${net}.0.1`,
    services: `${net}.128.0/17`,
    apiService: `${net}.128.1`,
    dnsService: `${net}.128.10`,
    /** The machine's end of the link to the node. */
    host: `${net}.1.1`,
    /** The node's own address: the API server is reached there. */
    node: `${net}.1.2`,
  };
}

/** `https://ADDRESS:6443` of a cluster's API server. */
export const apiUrl = (settings: ClusterSettings): string => `https://${addresses(settings).node}:6443`;

/** Path of the administrator's kubeconfig of a cluster. */
export const kubeconfigPath = (settings: ClusterSettings): string => join(settings.dir, "kubeconfig");

/** Checks a cluster's name: it is a DNS label and part of interface names. */
export function checkName(name: string): void {
  if (!/^[a-z][a-z0-9-]{0,30}[a-z0-9]$/.test(name))
    throw new UserError(
      `--name ${JSON.stringify(name)}: a cluster's name is 2 to 32 lower-case letters, digits and dashes, and starts with a letter.`,
      2,
    );
}

/** Settings of a cluster that was made before, or undefined. */
export function findSettings(name: string): ClusterSettings | undefined {
  const file = join(clustersDir(), name, "cluster.json");
  return existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as ClusterSettings) : undefined;
}

/** Settings of a cluster, made and kept when there are none; the subnet is one that no route of this machine uses. */
export async function ensureSettings(name: string): Promise<ClusterSettings> {
  checkName(name);
  mkdirSync(clustersDir(), { recursive: true, mode: 0o700 });
  return withLock(join(clustersDir(), ".lock"), "another start of a cluster", async () => {
    const existing = findSettings(name);
    if (existing) return existing;
    const routes = await run("ip", ["-4", "route", "show", "table", "all"]);
    const taken = new Set(readdirSync(clustersDir()).map((other) => findSettings(other)?.subnet));
    const free = (subnet: number) => !taken.has(subnet) && !new RegExp(`\\b10\\.${subnet}\\.`).test(routes);
    const candidates = Array.from({ length: LAST_SUBNET - FIRST_SUBNET + 1 }, (_, i) => FIRST_SUBNET + i);
    const subnet = candidates.find(free);
    if (subnet === undefined)
      throw new UserError(
        `no free subnet from 10.${FIRST_SUBNET}.0.0/16 to 10.${LAST_SUBNET}.0.0/16: stop a cluster first.`,
      );
    const settings = { name, dir: join(clustersDir(), name), subnet };
    mkdirSync(settings.dir, { recursive: true, mode: 0o711 });
    writeFileSync(join(settings.dir, "cluster.json"), `${JSON.stringify(settings, null, 2)}\n`);
    return settings;
  });
}
