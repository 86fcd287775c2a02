/**
 * Stands in for kubelets where there are none: pods of the given namespaces run as soon as they exist, except those
 * whose image is "broken", and the operator's pod is a process of the operator, with the pod's own flags, environment
 * and service account. What it may not do by its role, it cannot do here.
 */
import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { ControlPlane } from "../../support/controlPlane";

interface Pod {
  metadata: {
    name: string;
    namespace: string;
    uid: string;
    labels?: Record<string, string>;
    deletionTimestamp?: string;
  };
  spec: {
    serviceAccountName: string;
    containers: { name: string; image: string; args?: string[]; env?: { name: string; value?: string }[] }[];
  };
  status?: { phase?: string; containerStatuses?: unknown[] };
}

export interface Kubelet {
  /** What the operators' processes logged. */
  log(): string;
  stop(): Promise<void>;
}

const root = join(__dirname, "..", "..", "..");

export function startKubelet(plane: ControlPlane, namespaces: string[]): Kubelet {
  const dir = mkdtempSync(join(tmpdir(), "kubelet-"));
  const operators = new Map<string, ChildProcess>();
  let log = "";
  let stopped = false;

  const startOperator = async (pod: Pod) => {
    const manager = pod.spec.containers[0]!;
    const kubeconfig = join(dir, `${pod.metadata.name}.json`);
    writeFileSync(kubeconfig, await accountKubeconfig(plane, pod.metadata.namespace, pod.spec.serviceAccountName));
    const local = (arg: string) => arg.replace(/^(--\S+-bind-address=):\d+$/, "$1127.0.0.1:0");
    const variables = (manager.env ?? []).map(({ name, value }) => [name, value ?? pod.metadata.namespace]);
    const child = spawn(
      process.execPath,
      ["--require", "tsx/cjs", join(root, "operator/main.ts"), ...(manager.args ?? []).map(local)],
      { cwd: root, env: { PATH: process.env.PATH, KUBECONFIG: kubeconfig, ...Object.fromEntries(variables) } },
    );
    child.stdout.on("data", (text: Buffer) => (log += text.toString()));
    child.stderr.on("data", (text: Buffer) => (log += text.toString()));
    return child;
  };

  const pass = async () => {
    const lists = namespaces.map((ns) => plane.client.json<{ items: Pod[] }>("GET", `/api/v1/namespaces/${ns}/pods`));
    const pods = (await Promise.all(lists)).flatMap((list) => list.items);
    for (const pod of pods.filter((each) => !each.status?.containerStatuses && !each.metadata.deletionTimestamp)) {
      if (pod.metadata.labels?.["control-plane"] === "controller-manager" && !operators.has(pod.metadata.uid))
        operators.set(pod.metadata.uid, await startOperator(pod));
      await setStatus(plane, pod);
    }
    const there = new Set(pods.map((pod) => pod.metadata.uid));
    for (const [uid, child] of operators) if (!there.has(uid)) child.kill("SIGTERM");
  };

  const loop = (async () => {
    while (!stopped) {
      await pass().catch((error: Error) => (log += `kubelet: ${error.message}\n`));
      await delay(100);
    }
  })();

  return {
    log: () => log,
    stop: async () => {
      stopped = true;
      await loop;
      const running = [...operators.values()].filter((child) => child.exitCode === null && child.signalCode === null);
      await Promise.all(running.map((child) => (child.kill("SIGTERM"), once(child, "exit"))));
      rmSync(dir, { recursive: true });
    },
  };
}

/** The kubeconfig of a service account. */
export async function accountKubeconfig(plane: ControlPlane, namespace: string, account: string): Promise<string> {
  const path = `/api/v1/namespaces/${namespace}/serviceaccounts/${account}/token`;
  const request = { apiVersion: "authentication.k8s.io/v1", kind: "TokenRequest", spec: {} };
  const { status } = await plane.client.json<{ status: { token: string } }>("POST", path, request);
  const ca = readFileSync(join(plane.pki, "ca.crt")).toString("base64");
  return JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    clusters: [{ name: "c", cluster: { server: plane.url, "certificate-authority-data": ca } }],
    users: [{ name: "u", user: { token: status.token } }],
    contexts: [{ name: "x", context: { cluster: "c", user: "u" } }],
    "current-context": "x",
  });
}

async function setStatus(plane: ControlPlane, pod: Pod): Promise<void> {
  const { name, namespace } = pod.metadata;
  const now = new Date().toISOString();
  const broken = pod.spec.containers.some(({ image }) => image.includes("broken"));
  const condition = (type: string) => ({ type, status: broken ? "False" : "True", lastTransitionTime: now });
  const status = {
    phase: broken ? "Pending" : "Running",
    podIP: "10.0.0.1",
    conditions: [condition("Ready"), condition("ContainersReady")],
    containerStatuses: pod.spec.containers.map((container) => ({
      name: container.name,
      image: container.image,
      imageID: "",
      ready: !broken,
      restartCount: 0,
      state: broken
        ? { waiting: { reason: "ErrImagePull", message: `no such image: ${container.image}` } }
        : { running: { startedAt: now } },
    })),
  };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/status`;
  await plane.client.request("PATCH", path, { status }, "application/merge-patch+json");
}
