/** The embedded one-node Kubernetes: up, down and status. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { applyAddons } from "./addons";
import { ApiClient } from "./apiClient";
import { ensureCgroups, removeCgroups } from "./cgroups";
import { controlPlaneSubjects } from "./controlPlaneFlags";
import { ensurePrograms, imagePrograms, nodePrograms } from "./debian";
import { resolveIn } from "./dnsProbe";
import { UserError } from "./errors";
import { importImage } from "./images/archive";
import { pauseImage } from "./images/pause";
import { writeKubeconfig } from "./kubeconfig";
import { ensureMounts } from "./mounts";
import { ensureNetwork, removeNetwork } from "./network";
import { networkPolicyPart } from "./networkPolicies";
import { layoutOf, nodeParts, writeNodeConfig, type NodePart } from "./node";
import { writePki } from "./pki";
import { say, step } from "./report";
import { endHolder, ensureHolder, findHolder, launchIn, processesIn } from "./sandbox";
import {
  addresses,
  apiUrl,
  checkName,
  ensureSettings,
  findSettings,
  kubeconfigPath,
  type ClusterSettings,
} from "./settings";
import { ensureTools } from "./toolCache";
import { clusterTools } from "./toolList";
import { waitFor } from "./wait";

/** Milliseconds a part has to become ready. */
const READY_LIMIT_MS = 90_000;

export interface RunningCluster {
  settings: ClusterSettings;
  kubeconfig: string;
  /** Path of a kubectl that fits. */
  kubectl: string;
  client: ApiClient;
}

/** Refuses, before anything is built, to go on without the rights that a cluster needs. */
export function requireRoot(): void {
  if (process.getuid?.() !== 0) throw new UserError("the embedded cluster needs root: run the same command with sudo.");
}

export interface ClusterOptions {
  /** Whether NetworkPolicies are enforced; without it they are stored and have no effect. */
  networkPolicies?: boolean;
}

/** Starts a cluster, or what is missing of it, and waits until its node is ready and its DNS answers. */
export async function up(name: string, { networkPolicies }: ClusterOptions = {}): Promise<RunningCluster> {
  requireRoot();
  checkName(name);
  await ensurePrograms([...nodePrograms, ...imagePrograms]);
  const tools = await ensureTools([...clusterTools, ...(networkPolicies ? (["network-policies"] as const) : [])]);
  const archive = await pauseImage(tools.pause);
  const settings = await ensureSettings(name);
  const client = await step(`starting the cluster "${name}"`, async () => {
    const fresh = findHolder(settings) === undefined;
    if (fresh) await removeNetwork(settings);
    const holder = await ensureHolder(settings, tools.pause);
    await ensureMounts(settings, holder);
    await ensureNetwork(settings, holder);
    ensureCgroups(settings);
    await writeIdentities(settings);
    writeNodeConfig(settings, fresh);
    const api = new ApiClient(apiUrl(settings), join(settings.dir, "pki"));
    for (const part of nodeParts(settings, tools)) {
      await ensurePart(settings, holder, part);
      if (part.name === "containerd") await importImage(settings, archive);
      if (part.name === "kube-apiserver") await applyAddons(api, settings);
    }
    if (networkPolicies)
      await ensurePart(settings, holder, networkPolicyPart(settings, holder, tools["network-policies"]));
    // Without it the first pods are refused.
    await waitFor("the default service account", { limitMs: READY_LIMIT_MS }, async () => {
      const { code } = await api.request("GET", "/api/v1/namespaces/default/serviceaccounts/default");
      return code === 200;
    });
    await waitFor("the cluster's DNS", { limitMs: READY_LIMIT_MS }, () =>
      resolveIn(settings, "kubernetes.default.svc.cluster.local"),
    );
    return api;
  });
  return { settings, kubeconfig: kubeconfigPath(settings), kubectl: tools.kubectl, client };
}

/** Ends a cluster and removes all it has on this machine, its data included. */
export async function down(name: string): Promise<void> {
  checkName(name);
  const settings = findSettings(name);
  if (!settings) return say(`there is no cluster "${name}".`);
  requireRoot();
  await step(`removing the cluster "${name}"`, async () => {
    await endHolder(settings);
    await removeNetwork(settings);
    await removeCgroups(settings);
    rmSync(settings.dir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  });
}

export interface ClusterStatus {
  name: string;
  /** Folder, when there is one. */
  dir?: string;
  api?: string;
  kubeconfig?: string;
  /** Each part and its pid on this machine; undefined for one that does not run. */
  parts: { name: string; pid?: number }[];
}

/** What is there of a cluster. */
export function status(name: string): ClusterStatus {
  checkName(name);
  const settings = findSettings(name);
  if (!settings) return { name, parts: [] };
  const holder = findHolder(settings);
  const running = holder ? processesIn(holder) : [];
  const parts = PARTS.map((part) => ({ name: part, pid: running.find((p) => p.program === part)?.pid }));
  return { name, dir: settings.dir, api: apiUrl(settings), kubeconfig: kubeconfigPath(settings), parts };
}

const PARTS = ["containerd", ...clusterTools.filter((tool) => tool !== "kubectl" && tool !== "pause")];

async function ensurePart(settings: ClusterSettings, holder: number, part: NodePart): Promise<void> {
  const running = () => processesIn(holder).some(({ program }) => program === part.name);
  const log = join(settings.dir, "logs", `${part.name}.log`);
  if (!running()) await launchIn(holder, log, part.command, part.args);
  await waitFor(`${part.name} to be ready (its log: ${log})`, { limitMs: READY_LIMIT_MS, everyMs: 50 }, async () => {
    if (!running()) throw new Error(`it does not run`);
    return part.ready();
  });
}

async function writeIdentities(settings: ClusterSettings): Promise<void> {
  const { dir, name } = settings;
  const pki = join(dir, "pki");
  await writePki(pki, [
    ...controlPlaneSubjects(layoutOf(settings)),
    { file: "scheduler", commonName: "system:kube-scheduler" },
    { file: "proxy", commonName: "system:kube-proxy" },
    { file: "coredns", commonName: "system:coredns" },
    {
      file: "kubelet",
      commonName: `system:node:${name}`,
      organisation: "system:nodes",
      names: [name, "127.0.0.1", addresses(settings).node],
    },
  ]);
  for (const user of ["controller-manager", "scheduler", "proxy", "coredns", "kubelet"])
    writeKubeconfig(join(dir, `${user}.kubeconfig`), name, apiUrl(settings), pki, user);
  writeKubeconfig(kubeconfigPath(settings), name, apiUrl(settings), pki, "admin");
}
