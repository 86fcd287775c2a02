/** One replica of the operator: started, started again when it ends, as a kubelet does, and watched. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { defaultMemcachedImage } from "../../api";
import { which } from "../../cluster/run";
import { type Ground, HOME, type Name } from "./ground";

const RESTART_MS = 1_000;
/** Leader election's own words when it gives up: how a leader ends that could not renew its lease. */
const LOST = /the lease (was not renewed|was taken)/;
const BUG = /"level":"fatal"|"type":"(TypeError|RangeError|ReferenceError)"/;

export interface End {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** When, by `performance.now()`. */
  at: number;
}

export class Operator {
  /** How often it has been started. */
  starts = 0;
  /** Why its process may end, or has ended, told by whoever makes it. */
  excuse: "SIGKILL" | "SIGTERM" | "lost lease" | undefined;
  private child: ChildProcess | undefined;
  private ended: Promise<End> | undefined;
  private stopped = false;
  private log = "";

  /** `onWrong` hears of ends that nobody caused. `mayLoseLease`: the API server is or was away, so that renewing could fail. */
  constructor(
    readonly name: Name,
    private readonly ground: Ground,
    private readonly mayLoseLease: () => boolean,
    private readonly onWrong: (what: string) => void,
  ) {}

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** MiB; undefined while there is no process. */
  rssMiB(): number | undefined {
    try {
      const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
      const kib = /VmRSS:\s+(\d+) kB/.exec(status)?.[1];
      return kib === undefined ? undefined : Number(kib) / 1024;
    } catch {
      return undefined;
    }
  }

  start(): void {
    const { ground, name } = this;
    const { PATH, HOME: home } = process.env;
    this.log = join(ground.dir, `${name}-${++this.starts}.log`);
    const output = openSync(this.log, "a");
    const flags = ["--leader-elect", `--leader-election-namespace=${HOME}`, "--leader-election-id=soak"];
    const off = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
    const pod = ground.pods[name];
    const [file = "", ...args] = pod.around([...endsWithUs(), ...ground.command, ...flags, ...off]);
    const env = { ...ground.env, ...pod.env, PATH, HOME: home, MEMCACHED_IMAGE: defaultMemcachedImage };
    const child = spawn(file, args, { stdio: ["ignore", output, output], env });
    closeSync(output);
    const kill = () => child.kill("SIGKILL");
    process.once("exit", kill);
    this.child = child;
    this.excuse = undefined;
    this.ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null) => {
        process.off("exit", kill);
        this.child = undefined;
        const at = performance.now();
        resolve({ code, signal, at });
        this.afterwards({ code, signal, at });
      };
      child.once("exit", end).once("error", () => end(null, null));
    });
  }

  /** Sends a signal, which becomes the excuse where it ends the process. */
  signal(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): void {
    if (signal === "SIGKILL" || signal === "SIGTERM") this.excuse = signal;
    if (signal === "SIGSTOP") this.excuse = "lost lease";
    this.child?.kill(signal);
  }

  /** Resolves to how the process that runs now has ended. */
  async end(limitMs: number): Promise<End> {
    const { ended, name } = this;
    const late = new AbortController();
    const limit = sleep(limitMs, undefined, { signal: late.signal }).then(
      () => {
        throw new Error(`${name} did not end within ${limitMs / 1000} s`);
      },
      () => new Promise<never>(() => undefined),
    );
    try {
      return await Promise.race([ended ?? Promise.reject(new Error(`${name} was not started`)), limit]);
    } finally {
      late.abort();
    }
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.stopped = true;
    const { child } = this;
    child?.kill("SIGKILL");
    if (child) await this.ended;
  }

  private afterwards(end: End): void {
    if (this.stopped) return;
    const problem = problemOf(end, this.excuse, this.mayLoseLease(), readFileSync(this.log, "utf8"));
    if (problem) this.onWrong(`${this.name} (start ${this.starts}) ${problem}`);
    setTimeout(() => {
      if (!this.stopped) this.start();
    }, RESTART_MS);
  }
}

/** What is wrong with how a process has ended, if anything. */
export function problemOf(
  { code, signal }: Pick<End, "code" | "signal">,
  excuse: Operator["excuse"],
  mayLoseLease: boolean,
  log: string,
): string | undefined {
  const lines = log.trim().split("\n");
  const bug = lines.find((line) => BUG.test(line));
  if (bug) return `logged a bug: ${bug}`;
  if (excuse === "SIGKILL" && signal === "SIGKILL") return undefined;
  if (excuse === "SIGTERM") return code === 0 ? undefined : `ended with ${code ?? signal} on SIGTERM, not with 0`;
  if ((excuse === "lost lease" || mayLoseLease) && code === 1 && LOST.test(log)) return undefined;
  return `ended by itself (${code ?? signal}): ${lines.slice(-3).join(" | ")}`;
}

/** A prefix under which a process ends with this one, however that comes about, also while it is stopped. */
const endsWithUs = (): string[] => (which("setpriv") ? ["setpriv", "--pdeathsig", "KILL", "--"] : []);
