/** The control plane that all integration and pulumi tests of a mocha run share; each test uses a namespace of its own. */
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { memcachedCrd } from "../../api";
import { startControlPlane, type ControlPlane, type ControlPlaneOptions } from "../../cluster/controlPlane";
import { atEnd } from "./cleanup";

export type { ControlPlane };

/** What a real controller manager does for Memcached's children, short of pods that run. */
const CONTROLLERS = [
  "deployment-controller",
  "replicaset-controller",
  "statefulset-controller",
  "garbage-collector-controller",
  "namespace-controller",
  "serviceaccount-controller",
  "endpointslice-controller",
  "horizontal-pod-autoscaler-controller",
  "resourcequota-controller",
];

let shared: Promise<ControlPlane> | undefined;

/** Starts the control plane at the first call; it ends with the mocha run. */
export function controlPlane(): Promise<ControlPlane> {
  if (!shared) {
    shared = newControlPlane();
    atEnd(async () => (await shared)?.stop());
  }
  return shared;
}

/**
 * A control plane of one test's own, which it must stop: for tests that kill its parts, or need other settings. It has the CRD,
 * unless `prepare` is another.
 */
export function newControlPlane(
  options: Pick<ControlPlaneOptions, "controllers" | "serviceCidr" | "prepare"> = {},
): Promise<ControlPlane> {
  const dir = join(tmpdir(), `memcached-control-plane-${process.pid}-${randomBytes(4).toString("hex")}`);
  return startControlPlane({ dir, controllers: CONTROLLERS, audit: true, prepare: installCrd, ...options });
}

const installCrd: ControlPlaneOptions["prepare"] = async (client) => {
  const path = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/memcacheds.cache.example.com";
  await client.apply(path, memcachedCrd());
};
