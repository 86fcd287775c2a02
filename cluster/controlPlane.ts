/**
 * A control plane alone, for tests: etcd, kube-apiserver and the controllers asked for, on loopback ports of its own,
 * as children of this process. No kubelet, so no pods run; needs no root.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdirSync, openSync, closeSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiClient, type ApiClient } from "./apiClient";
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
import { which } from "./run";
import { ensureTools } from "./toolCache";
import { controlPlaneTools, type ToolName } from "./toolList";
import { waitFor } from "./wait";

export interface ControlPlaneOptions {
  /** Folder for state and logs; made, and removed by `stop`. */
  dir: string;
  /** Controllers of kube-controller-manager to run; none starts no controller manager. */
  controllers?: readonly string[];
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
  const client = apiClient(url, pki);
  const processes = new Processes(dir, tools, flags);
  const ready = () =>
    waitFor(`the API server at ${url}`, { limitMs: READY_LIMIT_MS, everyMs: 50 }, async () => {
      processes.check("kube-apiserver");
      return (await client.request("GET", "/readyz")).code === 200;
    });
  const controlPlane: ControlPlane = {
    ...{ url, pki, dir, kubeconfig, kubectl: tools.kubectl, auditLog, etcdPort, client },
    kill: (part, signal = "SIGKILL") => processes.end(part, signal),
    start: async (part) => {
      processes.start(part);
      await ready();
    },
    stop: async () => {
      await Promise.all(PARTS.map((part) => processes.end(part, "SIGKILL")));
      rmSync(dir, { recursive: true, force: true });
    },
  };
  try {
    processes.start("etcd");
    await controlPlane.start("kube-apiserver");
    if (options.controllers?.length) processes.start("kube-controller-manager");
  } catch (error) {
    await Promise.all(PARTS.map((part) => processes.end(part, "SIGKILL")));
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

/** A prefix under which a program is killed when this process is, however that comes about. */
const endsWithUs = (): string[] => (which("setpriv") ? ["setpriv", "--pdeathsig", "KILL", "--"] : []);

/** The running parts; each writes a log of its own. */
class Processes {
  private readonly running = new Map<Part, ChildProcess>();
  private readonly dir: string;
  private readonly tools: Record<ToolName, string>;
  private readonly flags: Record<Part, string[]>;

  constructor(dir: string, tools: Record<ToolName, string>, flags: Record<Part, string[]>) {
    this.dir = dir;
    this.tools = tools;
    this.flags = flags;
    // Whatever ends this process ends them, too.
    process.once("exit", () => this.running.forEach((child) => child.kill("SIGKILL")));
  }

  start(part: Part): void {
    const log = openSync(this.log(part), "a");
    const command = [...endsWithUs(), this.tools[part], ...this.flags[part]];
    const child = spawn(command[0] as string, command.slice(1), { cwd: this.dir, stdio: ["ignore", log, log] });
    closeSync(log);
    this.running.set(part, child);
  }

  /** Throws when a part that should run has ended, with the end of its log. */
  check(part: Part): void {
    const child = this.running.get(part);
    if (!child || child.exitCode === null) return;
    const tail = readFileSync(this.log(part), "utf8").trim().split("\n").slice(-3).join("\n");
    throw new Error(`${part} ended with code ${child.exitCode}: ${tail}`);
  }

  async end(part: Part, signal: NodeJS.Signals): Promise<void> {
    const child = this.running.get(part);
    if (!child) return;
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once("exit", resolve));
      child.kill(signal);
      await ended;
    }
    if (this.running.get(part) === child) this.running.delete(part);
  }

  private log(part: Part): string {
    return join(this.dir, "logs", `${part}.log`);
  }
}
