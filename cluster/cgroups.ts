/** The cgroups that a cluster's pods are in: one root for each cluster, so that two kubelets leave each other alone. */
import { existsSync, mkdirSync, readdirSync, rmdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ClusterSettings } from "./settings";
import { waitFor } from "./wait";

const ROOT = "/sys/fs/cgroup";

/** The kubelet's `cgroupRoot`: by subnet, which is one cluster's own on the machine, where names are only a user's. */
export const cgroupRoot = ({ subnet }: ClusterSettings): string => `/memcached-cluster-${subnet}`;

/** One hierarchy for each controller (v1), or the only one (v2). */
function hierarchies(): string[] {
  if (existsSync(join(ROOT, "cgroup.controllers"))) return [ROOT];
  return readdirSync(ROOT)
    .map((name) => join(ROOT, name))
    .filter((path) => statSync(path).isDirectory() && existsSync(join(path, "cgroup.procs")));
}

export function ensureCgroups(settings: ClusterSettings): void {
  for (const hierarchy of hierarchies()) mkdirSync(join(hierarchy, cgroupRoot(settings)), { recursive: true });
}

/** Removes the cgroups, whose processes must have ended; the kernel takes a moment to let go of them. */
export async function removeCgroups(settings: ClusterSettings): Promise<void> {
  for (const hierarchy of hierarchies()) {
    const dir = join(hierarchy, cgroupRoot(settings));
    await waitFor(`the cgroup ${dir} to be free`, { limitMs: 20_000 }, () => {
      if (existsSync(dir)) removeTree(dir);
      return true;
    });
  }
}

function removeTree(dir: string): void {
  for (const entry of readdirSync(dir, { withFileTypes: true }))
    if (entry.isDirectory()) removeTree(join(dir, entry.name));
  rmdirSync(dir);
}
