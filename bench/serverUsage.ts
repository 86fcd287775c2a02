/** What the control plane itself has spent: unlike elapsed time, it hardly moves with what else runs on the machine. */
import { readFileSync } from "node:fs";
import { processIds } from "../cluster/processIds";
import { cpuSeconds } from "./procStat";

const parts = /^(kube-apiserver|etcd)$/;

/** CPU seconds so far of the API server and etcd that this process has started. */
export function serverCpuS(): number {
  return processIds()
    .map((pid) => serverCpuOf(pid))
    .reduce((sum, seconds) => sum + seconds, 0);
}

function serverCpuOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [, name = "", parent] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(stat) ?? [];
    return Number(parent) === process.pid && parts.test(name) ? cpuSeconds(stat) : 0;
  } catch {
    // Gone since the folder was read.
    return 0;
  }
}
