/** Stands in for the Deployment controller and the kubelets: says of every Deployment, after a while, that its pods are ready. */
import { setTimeout as sleep } from "node:timers/promises";
import { HttpError, mergePatch } from "../../cluster/apiClient";
import { readyStatus } from "../readyStatus";
import type { Client } from "./client";
import type { Random } from "../random";
import type { Deployment } from "./rightness";

const SLOWEST_MS = 700;

export class Kubelet {
  /** The latest state of the Deployments that wait for a report. */
  private readonly waiting = new Map<string, Deployment>();

  constructor(
    private readonly client: Client,
    private readonly random: Random,
    private readonly onError: (error: Error) => void,
  ) {}

  start(): void {
    this.client.watch<Deployment>("/apis/apps/v1/deployments", ({ type, object }) => {
      const { namespace, name, generation, ownerReferences } = object.metadata;
      const { status, spec } = object;
      const key = `${namespace}/${name}`;
      if (type === "DELETED" || !ownerReferences) return void this.waiting.delete(key);
      const { observedGeneration, readyReplicas = 0 } = status ?? {};
      if (observedGeneration === generation && readyReplicas === spec.replicas) return void this.waiting.delete(key);
      const waits = this.waiting.has(key);
      this.waiting.set(key, object);
      if (!waits) void this.report(key);
    });
  }

  private async report(key: string): Promise<void> {
    await sleep(this.random.between(0, SLOWEST_MS));
    const deployment = this.waiting.get(key);
    this.waiting.delete(key);
    if (!deployment) return;
    const { namespace, name, uid } = deployment.metadata;
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`;
    const body = { metadata: { uid }, status: readyStatus(deployment) };
    try {
      await this.client.ask("PATCH", path, body, mergePatch);
    } catch (error) {
      // Deleted, or made anew (another UID is a conflict, or invalid): its next state comes by the watch.
      if (error instanceof HttpError && [404, 409, 422].includes(error.code)) return;
      this.onError(error as Error);
    }
  }
}
