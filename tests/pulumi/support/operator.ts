/** An operator that runs beside the tests of a file and belongs to none of their stacks. */
import { once } from "node:events";
import { memcachedCrd } from "../../../api";
import type { ControlPlane } from "../../support/controlPlane";
import { startKubelet } from "./kubelet";
import { startOperatorProcess } from "./operatorProcess";

export interface RunningOperator {
  /** What it logged. */
  log(): string;
  stop(): Promise<void>;
}

export const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/memcacheds.cache.example.com";

/** Puts the CRD there and runs an operator for these namespaces, and their pods. */
export async function runOperator(plane: ControlPlane, namespaces: string[]): Promise<RunningOperator> {
  await plane.client.apply(crdPath, memcachedCrd());
  const kubelet = startKubelet(plane, namespaces);
  const flags = ["--metrics-bind-address=0", "--health-probe-bind-address=127.0.0.1:0"];
  const variables = {
    KUBECONFIG: plane.kubeconfig,
    WATCH_NAMESPACE: namespaces.join(","),
    MEMCACHED_IMAGE: "memcached:test",
  };
  let log = "";
  const child = await startOperatorProcess(flags, variables, (text) => void (log += text));
  return {
    log: () => log,
    stop: async () => {
      await kubelet.stop();
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill("SIGTERM");
      await once(child, "exit");
    },
  };
}
