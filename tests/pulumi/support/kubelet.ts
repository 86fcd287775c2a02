/**
 * Stands in for kubelets where there are none: pods of the given namespaces run as soon as they exist, except those
 * whose image is "broken", and the operator's pod is a process of the operator, with the pod's own flags, environment
 * and service account. What it may not do by its role, it cannot do here.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "../../support/controlPlane";
import { startOperatorProcess } from "./operatorProcess";

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

export function startKubelet(plane: ControlPlane, namespaces: string[]): Kubelet {
  const dir = mkdtempSync(join(tmpdir(), "kubelet-"));
  const operators = new Map<string, ChildProcess>();
  const run = new Map<string, Promise<void>>();
  let log = "";
  const addToLog = (text: string) => void (log += text);

  const startOperator = async (pod: Pod) => {
    const manager = pod.spec.containers[0]!;
    const kubeconfig = join(dir, `${pod.metadata.name}.json`);
    writeFileSync(kubeconfig, await accountKubeconfig(plane, pod.metadata.namespace, pod.spec.serviceAccountName));
    const local = (arg: string) => arg.replace(/^(--\S+-bind-address=):\d+$/, "$1127.0.0.1:0");
    const variables = (manager.env ?? []).map(({ name, value }) => [name, value ?? pod.metadata.namespace] as const);
    const env = { KUBECONFIG: kubeconfig, ...Object.fromEntries(variables) };
    operators.set(pod.metadata.uid, await startOperatorProcess((manager.args ?? []).map(local), env, addToLog));
  };

  const runPod = async (pod: Pod) => {
    if (pod.metadata.labels?.["control-plane"] === "controller-manager") await startOperator(pod);
    await setStatus(plane, pod);
  };

  const stopWatch = plane.client.watch<Pod>("/api/v1/pods", ({ type, object: pod }) => {
    const { uid, namespace } = pod.metadata;
    if (!namespaces.includes(namespace)) return;
    if (type === "DELETED") {
      void run.get(uid)?.then(() => operators.get(uid)?.kill("SIGTERM"));
    } else if (!run.has(uid) && !pod.status?.containerStatuses && !pod.metadata.deletionTimestamp) {
      run.set(
        uid,
        runPod(pod).catch((error: Error) => addToLog(`kubelet: ${error.message}\n`)),
      );
    }
  });

  return {
    log: () => log,
    stop: async () => {
      stopWatch();
      await Promise.all(run.values());
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
