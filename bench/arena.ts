/** Where the race is run: a control plane without controllers, the CRD, and both contenders, each with an account of its own. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultMemcachedImage, memcachedCrd } from "../api";
import type { ApiClient } from "../cluster/apiClient";
import type { Child } from "../cluster/child";
import { startControlPlane, type ControlPlane } from "../cluster/controlPlane";
import { ensureTools } from "../cluster/toolCache";
import { waitFor } from "../cluster/wait";
import { AuditLog } from "./audit";
import { Pod, userOf } from "./pod";
import { bundledOperator } from "./program";

/** Namespace of the contenders' accounts. */
const HOME = "bench";

/** How many resources each works on at a time. */
export const WORKERS = 16;

export interface Contender {
  title: string;
  /** The name under which the audit log knows it. */
  user: string;
  start(): Child;
}

export interface Arena {
  api: ApiClient;
  audit: AuditLog;
  ours: Contender;
  go: Contender;
  stop(): Promise<void>;
}

export async function openArena(): Promise<Arena> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-bench-"));
  const bundled = await bundledOperator(join(dir, "bundle"));
  const tools = await ensureTools(["controller-runtime"]);
  // No controllers: the harness itself reports Deployments ready, so that nothing but the contender is measured.
  const plane = await startControlPlane({ dir: join(dir, "control-plane"), controllers: [], audit: true });
  const audit = new AuditLog(plane.auditLog ?? "", userOf(HOME, ""));
  const stop = async () => {
    audit.close();
    await plane.stop();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    await installCrd(plane.client);
    const [ours, go] = [await adminPod(join(dir, "ours"), plane), await adminPod(join(dir, "go"), plane)];
    const workers = `--workers=${WORKERS}`;
    const flags = [workers, "--metrics-bind-address=0", "--health-probe-bind-address=0"];
    const peer = { command: [tools["controller-runtime"]], env: { MEMCACHED_IMAGE: defaultMemcachedImage } };
    return {
      ...{ api: plane.client, audit, stop },
      ours: { ...ours, title: "this operator", start: () => ours.pod.start(bundled, flags, join(dir, "ours.log")) },
      go: { ...go, title: "controller-runtime", start: () => go.pod.start(peer, [workers], join(dir, "go.log")) },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

export async function installCrd(api: ApiClient): Promise<void> {
  const crds = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  await api.json("POST", crds, memcachedCrd());
  await waitFor("the CRD to be served", { limitMs: 30_000 }, async () => {
    await api.json("GET", "/apis/cache.example.com/v1/memcacheds");
    return true;
  });
  // The plugin that guards owner references learns of new kinds every 30 s; until then it refuses children.
  await waitFor("owner references to Memcached to be accepted", { limitMs: 60_000, everyMs: 500 }, async () => {
    const of = { apiVersion: "cache.example.com/v1", kind: "Memcached", name: "a", uid: "a" };
    const body = { metadata: { name: "probe", ownerReferences: [{ ...of, blockOwnerDeletion: true }] } };
    await api.json("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", body);
    return true;
  });
}

/** A place with all rights, whose account is called as `dir` ends. */
export async function adminPod(dir: string, plane: ControlPlane): Promise<{ pod: Pod; user: string }> {
  const name = dir.slice(dir.lastIndexOf("/") + 1);
  await plane.client.request("POST", "/api/v1/namespaces", { metadata: { name: HOME } });
  await plane.client.json("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: `${HOME}-${name}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace: HOME, name }],
  });
  return { pod: await Pod.make(dir, plane, HOME, name), user: userOf(HOME, name) };
}
