import { rollout } from "./fixtures";

export type Expected = Record<"Available" | "Progressing" | "Degraded" | "Ready", string> | undefined;

export const created = "True Reconciling: Deployment for custom resource (cache) with 3 replicas created successfully";
export const starting = "Unknown Reconciling: Starting reconciliation";
export const fine = "False AsExpected: No problems";
export const patient = (text: string) => `False AsExpected: Nothing has failed, but ${text}`;
export const done = "False RolloutComplete: 3 of 3 servers run the current specification";
export const roll = (updated: number, available: number) =>
  `True RollingOut: ${updated} of 3 servers run the current specification, ${available} of 3 are available`;
export const problem = { reason: "QuotaExceeded", message: "exceeded quota: small" };
export const quota = "QuotaExceeded: exceeded quota: small";
export const conflict = { reason: "ResourceConflict", message: "Service shop/cache exists" };
export const conflicted = "ResourceConflict: Service shop/cache exists";
export const blocked = (text: string) => ({
  Progressing: `False ${text}`,
  Degraded: `True ${text}`,
  Ready: `False ${text}`,
});
export const upWhileRolling = rollout({ replicas: 4, updated: 1, ready: 3, available: 3 });
export const oneUp = rollout({ replicas: 3, updated: 2, ready: 1, available: 1 });
export const badImage = { reason: "ImagePullBackOff", message: "pod cache-1, container memcached: not found" };

export const evicted = { reason: "Evicted", message: "pods fail repeatedly: Evicted: too much" };
export const noRoom = (pod: string) => ({ reason: "Unschedulable", message: `pod ${pod}: 0/1 nodes` });
export const paused = "Deployment shop/cache is paused";
export const stuck = { reason: "PodTerminating", message: "pod cache-1 has been terminating" };
export const takingOver = (updated: number) =>
  `True RollingOut: The StatefulSet replaces the Deployment: ${updated} of 3 servers run the current specification`;
/** A StatefulSet that starts beside the Deployment of before. */
export const takenOver = {
  workload: "StatefulSet" as const,
  former: { kind: "Deployment" as const, size: 3, ready: 3 },
  rollout: rollout({ seen: false, replicas: 4, updated: 1, ready: 3, available: 3 }),
};
