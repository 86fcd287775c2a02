/**
 * The namespaces a cluster lives in: processes, network and mounts of its own, held open by one process (`pause`).
 * When that process ends, the kernel ends all the others and takes mounts, interfaces and iptables rules with them.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, join } from "node:path";
import { UserError } from "./errors";
import { processIds } from "./processIds";
import { run } from "./run";
import type { ClusterSettings } from "./settings";
import { waitFor } from "./wait";

/** A process of the cluster, under the pid that this machine knows it by. */
export interface SandboxProcess {
  pid: number;
  program: string;
  args: string[];
}

const marker = (settings: ClusterSettings): string => `memcached-cluster=${settings.dir}`;

/** The pid of the process that holds the namespaces, or undefined when the cluster is down. */
export function findHolder(settings: ClusterSettings): number | undefined {
  const own = readlinkSync("/proc/self/ns/pid");
  return processIds().find((pid) => {
    const [program = "", first] = commandLine(pid);
    return basename(program) === "pause" && first === marker(settings) && pidNamespace(pid) !== own;
  });
}

/** Starts the holder, unless there is one, and gives its pid. */
export async function ensureHolder(settings: ClusterSettings, pause: string): Promise<number> {
  const existing = findHolder(settings);
  if (existing) return existing;
  const namespaces = ["--pid", "--net", "--mount", "--fork", "--mount-proc", "--propagation", "slave"];
  const inside = 'mount --make-rshared / && exec "$0" "$1"';
  const child = spawn("unshare", [...namespaces, "--", "/bin/sh", "-c", inside, pause, marker(settings)], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let error = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (error += text));
  const ended = new Promise<never>((_, reject) => {
    child.on("error", reject);
    child.on("exit", () =>
      reject(
        new UserError(`namespaces could not be made (${error.trim()}): run as root, on a kernel that allows them.`),
      ),
    );
  });
  const started = waitFor("the cluster's namespaces", { limitMs: 10_000, everyMs: 20 }, () => findHolder(settings));
  const pid = await Promise.race([started, ended]);
  ended.catch(() => undefined);
  child.stderr.destroy();
  child.unref();
  return pid;
}

/** The running processes of the namespaces, without the holder. */
export function processesIn(holder: number): SandboxProcess[] {
  const namespace = pidNamespace(holder);
  return processIds()
    .filter((pid) => pid !== holder && namespace !== undefined && pidNamespace(pid) === namespace)
    .map((pid) => ({ pid, line: commandLine(pid) }))
    .filter(({ line }) => line.length > 0)
    .map(({ pid, line: [program = "", ...args] }) => ({ pid, program: basename(program), args }));
}

const enter = (holder: number): string[] => ["--target", String(holder), "--pid", "--net", "--mount", "--"];

/** Runs a program in the namespaces to its end. */
export function runIn(holder: number, command: string, ...args: string[]): Promise<string> {
  return run("nsenter", [...enter(holder), command, ...args], { timeoutMs: 120_000 });
}

/** Starts a program in the namespaces that goes on when we end, its output in a log of its own. */
export async function launchIn(holder: number, log: string, command: string, args: readonly string[]): Promise<void> {
  mkdirSync(join(log, ".."), { recursive: true });
  const script = 'log="$1"; shift; setsid "$@" >>"$log" 2>&1 </dev/null &';
  await run("nsenter", [...enter(holder), "/bin/sh", "-c", script, "sh", log, command, ...args], { timeoutMs: 20_000 });
}

/** Ends the holder, and with it everything in its namespaces. */
export async function endHolder(settings: ClusterSettings): Promise<void> {
  const holder = findHolder(settings);
  if (!holder) return;
  const others = processesIn(holder).map(({ pid }) => pid);
  process.kill(holder, "SIGKILL");
  await waitFor("the cluster's processes to end", { limitMs: 30_000 }, () =>
    [holder, ...others].every((pid) => commandLine(pid).length === 0),
  );
}

/** A process's command line; empty for one that is gone, a zombie, or the kernel's. */
function commandLine(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").filter(Boolean);
  } catch {
    return [];
  }
}

function pidNamespace(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/ns/pid`);
  } catch {
    return undefined;
  }
}
