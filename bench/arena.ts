/** Where the race is run: a control plane without controllers, the CRD, and an identity for each contender. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defaultMemcachedImage, memcachedCrd } from "../api";
import { startControlPlane } from "../cluster/controlPlane";
import { waitFor } from "../cluster/wait";
import type { ApiClient } from "../cluster/apiClient";
import { AuditLog } from "./audit";
import { contenders, type Contender, type Name } from "./contenders";
import { type Pod, inPod } from "./inPod";
import { Running } from "./process";

/** Namespace of the contenders' identities and leases. */
export const home = "bench";

export interface Arena {
  api: ApiClient;
  audit: AuditLog;
  contenders: Record<Name, Contender>;
  /** The name under which the audit log knows a contender. */
  userOf(contender: Contender): string;
  start(contender: Contender, flags?: readonly string[]): Running;
  stop(): Promise<void>;
}

export async function openArena(workers: number): Promise<Arena> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-bench-"));
  const both = await contenders(dir, workers);
  // No controllers: the harness itself reports Deployments ready, so that nothing but the contender is measured.
  const controlPlane = await startControlPlane({ dir: join(dir, "control-plane"), controllers: [], audit: true });
  const { client: api } = controlPlane;
  const audit = new AuditLog(controlPlane.auditLog ?? "", `system:serviceaccount:${home}:`);
  try {
    await installCrd(api);
    await api.json("POST", "/api/v1/namespaces", { metadata: { name: home } });
    const pods: Partial<Record<Name, Pod>> = {};
    for (const { name } of Object.values(both))
      pods[name] = inPod(join(dir, name), controlPlane, home, await identity(api, name));
    return {
      ...{ api, contenders: both },
      audit,
      userOf: ({ name }) => `system:serviceaccount:${home}:${name}`,
      start: ({ name, command, env: own }, flags = []) => {
        const { PATH, HOME } = process.env;
        const pod = pods[name];
        if (!pod) throw new Error(`${name} has no identity`);
        const env = { ...own, ...pod.env, PATH, HOME, MEMCACHED_IMAGE: defaultMemcachedImage };
        return new Running(pod.around([...command, ...flags]), env, join(dir, `${name}.log`));
      },
      stop: async () => {
        audit.close();
        await controlPlane.stop();
        rmSync(dir, { recursive: true, force: true });
      },
    };
  } catch (error) {
    await controlPlane.stop();
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
    const owner = {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      name: "a",
      uid: "a",
      blockOwnerDeletion: true,
    };
    const body = { metadata: { name: "probe", ownerReferences: [owner] } };
    await api.json("POST", "/api/v1/namespaces/default/configmaps?dryRun=All", body);
    return true;
  });
}

/** A service account with all rights, and a token of it: as an operator in a pod has. */
export async function identity(api: ApiClient, name: Name): Promise<string> {
  const accounts = `/api/v1/namespaces/${home}/serviceaccounts`;
  await api.json("POST", accounts, { metadata: { name } });
  await api.json("POST", "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings", {
    metadata: { name: `${home}-${name}` },
    roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "ClusterRole", name: "cluster-admin" },
    subjects: [{ kind: "ServiceAccount", namespace: home, name }],
  });
  const request = { spec: { expirationSeconds: 24 * 3600 } };
  return (await api.json<{ status: { token: string } }>("POST", `${accounts}/${name}/token`, request)).status.token;
}
