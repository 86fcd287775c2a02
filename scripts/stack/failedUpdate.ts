/** Why a stack did not become ready, in the cluster's own words: Pulumi ends with no more than that it waited long enough. */
import type { MemcachedStatus } from "../../api";
import { isImageProblem, rolloutNow, type Get } from "./rollout";
import type { RolloutState } from "./rolloutState";

type ObjectName = Record<"namespace" | "name", string>;

export interface CacheObject {
  metadata: ObjectName;
  status?: Pick<MemcachedStatus, "conditions">;
}

/** What is wrong, and what to do; no lines when nothing is, or the cluster does not answer. `kubectl` is how to call it. */
export async function failedUpdate(
  get: Get,
  operator: ObjectName,
  cache: ObjectName,
  kubectl: string,
): Promise<string[]> {
  const rollout = await rolloutNow(get, operator.namespace, operator.name).catch(() => undefined);
  const found = await get("memcached", cache.name, "-n", cache.namespace).catch(() => undefined);
  return failureLines(operator, rollout, found as CacheObject | undefined, kubectl);
}

/** The operator comes first: without it nothing is said of a cache. */
export function failureLines(
  operator: ObjectName,
  rollout: RolloutState | undefined,
  cache: CacheObject | undefined,
  kubectl: string,
): string[] {
  if (rollout?.done === false) {
    const problem = rollout.problem ?? "no pod of it is ready";
    const look = `${kubectl} logs -n ${operator.namespace} deployment/${operator.name}`;
    return [`The operator does not run: ${problem}`, remedy(problem, look)];
  }
  const ready = cache?.status?.conditions?.find(({ type }) => type === "Ready");
  if (!cache || ready?.status === "True") return [];
  const { name, namespace } = cache.metadata;
  const problem = ready ? `${ready.reason}: ${ready.message}` : "the operator has not looked at it yet";
  const look = `${kubectl} describe memcached/${name} -n ${namespace}`;
  return [`The cache ${name} is not ready: ${problem}`, remedy(problem, look)];
}

function remedy(problem: string, look: string): string {
  return isImageProblem(problem)
    ? 'Remedy: the node has no such image and cannot pull it. "npm stop" and then "npm start" load the images anew.'
    : `Remedy: mend that, and run "npm start" again. More of it: ${look}`;
}
