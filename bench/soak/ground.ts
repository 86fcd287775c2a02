/** What the soak stands on: a control plane of its own, the CRD, and two service accounts with the operator's own rights. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startControlPlane, type ControlPlane } from "../../cluster/controlPlane";
import { leaderElectionRules, managerRules } from "../../components/manifests/rules";
import { installCrd } from "../arena";
import { Pod } from "../pod";
import { bundledOperator, type Program } from "../program";
import { Client } from "./client";

/** Where the operators and their lease live. */
export const HOME = "soak-system";
/** An operator's account, which tells the two apart in the audit log. */
export type Name = "operator-a" | "operator-b";
export const names: readonly Name[] = ["operator-a", "operator-b"];

export interface Ground {
  dir: string;
  client: Client;
  controlPlane: ControlPlane;
  auditLog: string;
  program: Program;
  /** Where each of the operators runs. */
  pods: Record<Name, Pod>;
  close(): Promise<void>;
}

/** `logs` is a folder that is to keep the logs of it all. */
export async function prepareGround(logs?: string): Promise<Ground> {
  const dir = mkdtempSync(join(tmpdir(), "memcached-soak-"));
  let controlPlane: ControlPlane | undefined;
  let client: Client | undefined;
  const remove = () => rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  process.once("exit", remove);
  const close = async () => {
    await client?.close();
    if (logs) keepLogs(dir, logs);
    await controlPlane?.stop();
    remove();
    process.off("exit", remove);
  };
  try {
    const controllers = ["garbage-collector-controller", "namespace-controller"];
    const program = await bundledOperator(join(dir, "bundle"));
    controlPlane = await startControlPlane({ dir: join(dir, "control-plane"), controllers, audit: true });
    client = new Client(controlPlane.url, controlPlane.pki);
    await installCrd(client);
    await grantRights(client);
    const pods: Partial<Ground["pods"]> = {};
    for (const name of names) pods[name] = await Pod.make(join(dir, name), controlPlane, HOME, name);
    const auditLog = controlPlane.auditLog ?? "";
    return { dir, client, controlPlane, auditLog, program, pods: pods as Ground["pods"], close };
  } catch (error) {
    await close();
    throw error;
  }
}

function keepLogs(dir: string, logs: string): void {
  mkdirSync(logs, { recursive: true });
  for (const folder of ["", "control-plane", join("control-plane", "logs")])
    for (const name of readdirSync(join(dir, folder)))
      if (name.endsWith(".log")) copyFileSync(join(dir, folder, name), join(logs, name));
}

/** The roles of the operator's manifests, for both accounts. */
async function grantRights(client: Client): Promise<void> {
  const rbac = "/apis/rbac.authorization.k8s.io/v1";
  await client.ask("POST", "/api/v1/namespaces", { metadata: { name: HOME } });
  const subjects = names.map((name) => ({ kind: "ServiceAccount", namespace: HOME, name }));
  const bind = async (scope: string, kind: "Role" | "ClusterRole", name: string, rules: object[]) => {
    await client.ask("POST", `${scope}/${kind.toLowerCase()}s`, { metadata: { name }, rules });
    const roleRef = { apiGroup: "rbac.authorization.k8s.io", kind, name };
    await client.ask("POST", `${scope}/${kind.toLowerCase()}bindings`, { metadata: { name }, roleRef, subjects });
  };
  await bind(rbac, "ClusterRole", "soak-manager", managerRules);
  await bind(`${rbac}/namespaces/${HOME}`, "Role", "soak-leader-election", leaderElectionRules);
}
