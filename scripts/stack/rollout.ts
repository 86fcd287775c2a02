/** Waits until a Deployment runs what was applied, and says why when it does not. */
import { setTimeout as sleep } from "node:timers/promises";
import { UserError } from "../../cluster/errors";
import { say, step } from "../../cluster/report";
import { rolloutState, type DeploymentObject, type PodObject, type RolloutState } from "./rolloutState";

/** Milliseconds for the whole rollout. */
const LIMIT_MS = 180_000;

/** Milliseconds that pods have a problem before it is one: an image can come at the second try. */
const PROBLEM_MS = 15_000;

/** Gives an object of the cluster's as `kubectl get -o json` does. */
export type Get = (...args: string[]) => Promise<unknown>;

export async function waitForRollout(get: Get, namespace: string, name: string): Promise<void> {
  await step(`waiting for the Deployment ${name} to run`, async () => {
    const end = performance.now() + LIMIT_MS;
    let since: number | undefined;
    let said: string | undefined;
    for (;;) {
      const { done, problem } = await rolloutNow(get, namespace, name);
      if (done) return;
      if (problem && problem !== said) say(`  ${problem}`);
      said = problem ?? said;
      since = problem ? (since ?? performance.now()) : undefined;
      const lasting = since !== undefined && performance.now() - since > PROBLEM_MS;
      if (lasting || performance.now() > end) throw new UserError(failure(namespace, name, problem));
      await sleep(500);
    }
  });
}

/** How far the rollout of a Deployment is. */
export async function rolloutNow(get: Get, namespace: string, name: string): Promise<RolloutState> {
  const deployment = (await get("deployment", name, "-n", namespace)) as DeploymentObject;
  const labels = Object.entries(deployment.spec.selector.matchLabels).map(([key, value]) => `${key}=${value}`);
  const pods = (await get("pods", "-n", namespace, "-l", labels.join())) as { items: PodObject[] };
  return rolloutState(deployment, pods.items);
}

export const isImageProblem = (problem: string): boolean => /ImagePull|InvalidImageName/.test(problem);

function failure(namespace: string, name: string, problem = `no pod was ready within ${LIMIT_MS / 1000} s`): string {
  const remedy = isImageProblem(problem)
    ? 'build the image with "npm run image -- IMG" and push it to where the nodes can pull it'
    : `see "kubectl logs -n ${namespace} deployment/${name}"`;
  return `the operator does not run: ${problem}. Remedy: ${remedy}.`;
}
