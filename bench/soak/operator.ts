/** One replica of the operator: started, started again when it ends, as a kubelet does, and watched. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Child } from "../../cluster/child";
import { waitFor } from "../../cluster/wait";
import { processMiB } from "../usage";
import { type Ground, HOME, type Name } from "./ground";

const RESTART_MS = 1_000;
/** Leader election's own words when it gives up: how a leader ends that could not renew its lease. */
const LOST = /the lease (was not renewed|was taken)/;
const BUG = /"level":"fatal"|"type":"(TypeError|RangeError|ReferenceError)"/;

export class Operator {
  /** How often it has been started. */
  starts = 0;
  /** Why its process may end, or has ended, told by whoever makes it. */
  excuse: "SIGKILL" | "SIGTERM" | "lost lease" | undefined;
  private child: Child | undefined;
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
    return this.child && (processMiB(this.child.pid, "VmRSS") || undefined);
  }

  start(): void {
    const { ground, name } = this;
    this.log = join(ground.dir, `${name}-${++this.starts}.log`);
    const flags = ["--leader-elect", `--leader-election-namespace=${HOME}`, "--leader-election-id=soak"];
    const off = ["--metrics-bind-address=0", "--health-probe-bind-address=0"];
    const child = ground.pods[name].start(ground.program, [...flags, ...off], this.log);
    this.child = child;
    this.excuse = undefined;
    void child.ended.then(() => this.afterwards(child));
  }

  /** Sends a signal, which becomes the excuse where it ends the process. */
  signal(signal: "SIGKILL" | "SIGTERM" | "SIGSTOP" | "SIGCONT"): void {
    if (signal === "SIGKILL" || signal === "SIGTERM") this.excuse = signal;
    if (signal === "SIGSTOP") this.excuse = "lost lease";
    this.child?.signal(signal);
  }

  /** Waits until the process that runs now has ended. */
  async end(limitMs: number): Promise<void> {
    const { child, name } = this;
    await waitFor(`${name} to end`, { limitMs, everyMs: 20 }, () => !child || child.end !== undefined);
  }

  /** Ends it for good. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.child?.stop("SIGKILL");
  }

  private afterwards({ end }: Child): void {
    this.child = undefined;
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
  end: Child["end"],
  excuse: Operator["excuse"],
  mayLoseLease: boolean,
  log: string,
): string | undefined {
  const lines = log.trim().split("\n");
  const bug = lines.find((line) => BUG.test(line));
  if (bug) return `logged a bug: ${bug}`;
  if (excuse === "SIGKILL" && end === "SIGKILL") return undefined;
  if (excuse === "SIGTERM") return end === 0 ? undefined : `ended with ${end} on SIGTERM, not with 0`;
  if ((excuse === "lost lease" || mayLoseLease) && end === 1 && LOST.test(log)) return undefined;
  return `ended by itself (${end}): ${lines.slice(-3).join(" | ")}`;
}
