/**
 * A control plane alone, for tests: etcd, kube-apiserver and the controllers asked for, on loopback ports of its own,
 * as children of this process. No kubelet, so no pods run; needs no root.
 */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ApiClient } from "./apiClient";
import { Child, endsWithUs } from "./child";
import {
  apiServerFlags,
  controllerManagerFlags,
  controlPlaneSubjects,
  etcdFlags,
  type ControlPlaneLayout,
} from "./controlPlaneFlags";
import { writeKubeconfig } from "./kubeconfig";
import { writePki } from "./pki";
import { freePorts } from "./ports";
import { ensureTools } from "./toolCache";
import { controlPlaneTools } from "./toolList";
import { waitFor } from "./wait";

export interface ControlPlaneOptions {
  /** Folder for state and logs; made, and removed by `stop`. */
  dir: string;
  /** Controllers of kube-controller-manager to run; none starts no controller manager. */
  controllers?: readonly string[];
  /** What is there before the controllers start: the garbage collector would learn of a new kind half a minute later. */
  prepare?(client: ApiClient): Promise<void>;
  /** Writes an audit log at Metadata level, whose path is `auditLog` of the result. */
  audit?: boolean;
  /** Ranges of the Services' addresses, of one family or both. */
  serviceCidr?: string;
}

export type Part = "etcd" | "kube-apiserver" | "kube-controller-manager";

export interface ControlPlane {
  /** `https://127.0.0.1:PORT` */
  url: string;
  /** Folder with `ca.crt`, `admin.crt`, `admin.key`. */
  pki: string;
  dir: string;
  /** Path of an administrator's kubeconfig. */
  kubeconfig: string;
  /** Path of the built kubectl. */
  kubectl: string;
  auditLog?: string;
  etcdPort: number;
  client: ApiClient;
  /** Ends a part at once, as a crash does; on SIGTERM it may take its time. */
  kill(part: Part, signal?: NodeJS.Signals): Promise<void>;
  /** Starts a part that was killed, and waits until the API server is ready. */
  start(part: Part): Promise<void>;
  /** Ends every process and removes the folder. */
  stop(): Promise<void>;
}

/**
 * OpenShift runs with it: an owner reference that blocks deletion needs the right to the owner's finalizers. It takes up to
 * 30 s to learn of a new CRD.
 */
const ADMISSION = ["OwnerReferencesPermissionEnforcement"];

const READY_LIMIT_MS = 60_000;

export async function startControlPlane(options: ControlPlaneOptions): Promise<ControlPlane> {
  const { dir } = options;
  const tools = await ensureTools(controlPlaneTools);
  mkdirSync(join(dir, "logs"), { recursive: true });
  const [etcdPort, etcdPeerPort, apiPort] = (await freePorts(3)) as [number, number, number];
  const layout: ControlPlaneLayout = {
    ...{ dir, etcdPort, etcdPeerPort, apiPort },
    ...{ bindAddress: "127.0.0.1", advertiseAddress: "127.0.0.1" },
    ...{ serviceCidr: options.serviceCidr ?? "10.96.0.0/16", serviceIp: "10.96.0.1" },
  };
  const url = `https://127.0.0.1:${apiPort}`;
  const pki = join(dir, "pki");
  await writePki(pki, controlPlaneSubjects(layout));
  const kubeconfig = join(dir, "admin.kubeconfig");
  writeKubeconfig(kubeconfig, "control-plane", url, pki, "admin");
  writeKubeconfig(join(dir, "controller-manager.kubeconfig"), "control-plane", url, pki, "controller-manager");
  const auditLog = options.audit ? join(dir, "audit.log") : undefined;
  if (auditLog) writeFileSync(join(dir, "audit-policy.yaml"), AUDIT_POLICY);

  const flags: Record<Part, string[]> = {
    etcd: etcdFlags(layout, false),
    "kube-apiserver": apiServerFlags(layout, { auditLog, admissionPlugins: ADMISSION }),
    "kube-controller-manager": controllerManagerFlags(layout, options.controllers ?? []),
  };
  const client = new ApiClient(url, pki);
  const running = new Map<Part, Child>();
  const launch = (part: Part) => {
    const log = join(dir, "logs", `${part}.log`);
    running.set(part, new Child([...endsWithUs(), tools[part], ...flags[part]], log, { cwd: dir }));
  };
  const kill = async (part: Part, signal: NodeJS.Signals = "SIGKILL") => running.get(part)?.stop(signal);
  const killAll = () => Promise.all(PARTS.map((part) => kill(part)));
  const controlPlane: ControlPlane = {
    ...{ url, pki, dir, kubeconfig, kubectl: tools.kubectl, auditLog, etcdPort, client },
    kill,
    start: async (part) => {
      launch(part);
      await waitFor(`the API server at ${url}`, { limitMs: READY_LIMIT_MS, everyMs: 50 }, async () => {
        running.get("kube-apiserver")?.check();
        return (await client.request("GET", "/readyz")).code === 200;
      });
    },
    stop: async () => {
      await client.close();
      await killAll();
      rmSync(dir, { recursive: true, force: true });
    },
  };
  try {
    launch("etcd");
    await controlPlane.start("kube-apiserver");
    await options.prepare?.(client);
    if (options.controllers?.length) launch("kube-controller-manager");
  } catch (error) {
    await killAll();
    throw error;
  }
  return controlPlane;
}

const PARTS: readonly Part[] = ["kube-controller-manager", "kube-apiserver", "etcd"];

const AUDIT_POLICY = JSON.stringify({
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  omitStages: ["RequestReceived"],
  rules: [{ level: "Metadata" }],
});
