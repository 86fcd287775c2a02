/** What processes have used, as the kernel counts it. */
import { readFileSync } from "node:fs";
import { processIds } from "../cluster/processIds";

/** The kernel's USER_HZ, which is 100 wherever Node runs on Linux. */
const TICKS_PER_SECOND = 100;

/** CPU seconds, user and system, in the text of a process's /proc/PID/stat. */
export function cpuSeconds(stat: string): number {
  // The program's name, in brackets, may hold anything.
  const fields = stat.replace(/^.*\) /s, "").split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

/** MiB that a process has resident now (VmRSS) or has had at most (VmHWM); NaN when it is gone. */
export function processMiB(pid: number, what: "VmRSS" | "VmHWM"): number {
  const kib = new RegExp(`^${what}:\\s+(\\d+) kB`, "m").exec(read(pid, "status"))?.[1];
  return Number(kib ?? NaN) / 1024;
}

/** CPU seconds of a process so far. */
export const cpuOf = (pid: number): number => cpuSeconds(read(pid, "stat"));

/** CPU seconds so far of the API server and etcd that this process has started: it hardly moves with what else runs here. */
export function serverCpuS(): number {
  const stats = processIds().map((pid) => read(pid, "stat"));
  const ours = stats.filter((stat) => {
    const [, name = "", parent] = /^\d+ \((.*)\) \S+ (\d+) /s.exec(stat) ?? [];
    return Number(parent) === process.pid && /^(kube-apiserver|etcd)$/.test(name);
  });
  return ours.reduce((sum, stat) => sum + cpuSeconds(stat), 0);
}

function read(pid: number, file: "stat" | "status"): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
