/** A real memcached pod: as the operator would make it, with what its memory cgroup tells. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { V1Pod } from "@kubernetes/client-node";
import { defaultClusterDomain, memoryMiB, type MemcachedSpec, withDefaults } from "../../api";
import { cgroupRoot } from "../../cluster/cgroups";
import type { RunningCluster } from "../../cluster/cluster";
import { waitFor } from "../../cluster/wait";
import { contextOf } from "../../operator/memcached/fields/field";
import { overheadMiB } from "../../operator/memcached/fields/resources";
import { podTemplate } from "../../operator/memcached/podTemplate";
import { MemoryCgroup, memoryRoot } from "../memoryCgroup";
import { processMiB } from "../usage";

const PODS = "/api/v1/namespaces/default/pods";

export interface Usage {
  /** The most that the container's cgroup ever held, in MiB: the process, page cache and the kernel's own. */
  peakMiB: number;
  /** The most that was resident of the process, in MiB. */
  residentMiB: number;
}

export interface Server {
  address: string;
  /** The derived limit in MiB, which is the pod's. */
  limitMiB: number;
  usage(): Usage;
  /** Restarts of the container, and why the last one ended. */
  restarts(): Promise<{ count: number; reason?: string }>;
  remove(): Promise<void>;
}

/** Starts a server of the spec in a pod of its own, without the operator, and waits until it is ready. */
export async function startServer(
  { client, settings }: RunningCluster,
  name: string,
  image: string,
  spec: MemcachedSpec,
): Promise<Server> {
  const resource = { metadata: { name, namespace: "default" }, spec };
  const environment = { image, proxy: [], fixedUser: true, clusterDomain: defaultClusterDomain };
  const template = podTemplate(contextOf(resource as never, environment));
  const path = `${PODS}/${name}`;
  const pod: V1Pod = {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { ...template.metadata, name },
    spec: { ...template.spec!, topologySpreadConstraints: undefined },
  };
  await client.json("POST", PODS, pod);
  const ready = await waitFor(`the pod ${name} to be ready`, { limitMs: 60_000 }, async () => {
    const { metadata, status } = await client.json<V1Pod>("GET", path);
    const [container] = status?.containerStatuses ?? [];
    return container?.ready && { uid: metadata!.uid!, ip: status!.podIP!, id: container.containerID! };
  });
  const cgroup = findCgroup(cgroupRoot(settings), ready.uid, ready.id);
  return {
    address: ready.ip,
    limitMiB: memoryMiB(spec) + overheadMiB(withDefaults(spec)),
    usage: () => ({ peakMiB: cgroup.peakMiB(), residentMiB: processMiB(cgroup.pid(), "VmHWM") }),
    restarts: async () => {
      const [container] = (await client.json<V1Pod>("GET", path)).status?.containerStatuses ?? [];
      return { count: container?.restartCount ?? 0, reason: container?.lastState?.terminated?.reason };
    },
    remove: async () => {
      await client.request("DELETE", `${path}?gracePeriodSeconds=0`);
      await waitFor(`the pod ${name} to be gone`, { limitMs: 60_000 }, async () => {
        return (await client.request("GET", path)).code === 404;
      });
    },
  };
}

/** The container's memory cgroup, below the root of its cluster: the kubelet parts pods by their class of service. */
function findCgroup(root: string, uid: string, containerId: string): MemoryCgroup {
  const id = containerId.replace(/^.*\/\//, "");
  const candidates = ["burstable", ""].map((qos) => join(memoryRoot(), root, "kubepods", qos, `pod${uid}`, id));
  const found = candidates.find((path) => existsSync(path));
  if (found === undefined) throw new Error(`there is no memory cgroup of the container at ${candidates.join(" or ")}`);
  return new MemoryCgroup(found);
}
