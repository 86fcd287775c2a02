/** The folders that containerd, the CNI plugins and the kubelet insist on, kept apart for each cluster by mounts. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { runIn } from "./sandbox";
import type { ClusterSettings } from "./settings";

/** Folders that live as long as the namespaces do. */
const VOLATILE = ["/run/containerd", "/run/netns"];

/** Folders that live in the cluster's own folder, under the name on the right. */
const KEPT: Record<string, string> = {
  "/var/lib/kubelet": "kubelet",
  "/var/lib/cni": "cni-state",
  "/var/log/pods": "pod-logs",
  "/var/log/containers": "container-logs",
};

/** Mounts what is not mounted yet in the cluster's own mount namespace; the machine sees none of it. */
export async function ensureMounts(settings: ClusterSettings, holder: number): Promise<void> {
  const mounted = new Set(
    readFileSync(`/proc/${holder}/mounts`, "utf8")
      .split("\n")
      .map((line) => line.split(" ")[1]),
  );
  for (const dir of VOLATILE) {
    mkdirSync(dir, { recursive: true });
    if (!mounted.has(dir)) await runIn(holder, "mount", "-t", "tmpfs", "-o", "mode=755", "tmpfs", dir);
  }
  for (const [dir, name] of Object.entries(KEPT)) {
    const own = join(settings.dir, name);
    mkdirSync(dir, { recursive: true });
    mkdirSync(own, { recursive: true });
    if (mounted.has(dir)) continue;
    await runIn(holder, "mount", "--bind", own, dir);
    await runIn(holder, "mount", "--make-shared", dir);
  }
  const resolver = reachableResolver();
  if (resolver && !mounted.has("/etc/resolv.conf"))
    await runIn(holder, "mount", "--bind", resolver, "/etc/resolv.conf");
}

/** systemd-resolved listens on this machine's loopback only, which the cluster does not see; its upstream list does. */
function reachableResolver(): string | undefined {
  const upstream = "/run/systemd/resolve/resolv.conf";
  const usesLoopback = /^nameserver\s+127\./m.test(readFileSync("/etc/resolv.conf", "utf8"));
  return usesLoopback && existsSync(upstream) ? upstream : undefined;
}
