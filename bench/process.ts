/** A contender's process: started, measured, ended. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { cpuSeconds } from "./procStat";

export interface Usage {
  /** CPU seconds so far, user and system. */
  cpuS: number;
  rssMiB: number;
  peakMiB: number;
}

export class Running {
  readonly startedAt = performance.now();
  private readonly child: ChildProcess;
  private readonly end: Promise<void>;

  constructor(
    private readonly command: readonly string[],
    env: NodeJS.ProcessEnv,
    private readonly log: string,
  ) {
    const output = openSync(log, "a");
    const [file = "", ...args] = command;
    this.child = spawn(file, args, { stdio: ["ignore", output, output], env });
    closeSync(output);
    this.end = new Promise((resolve, reject) => this.child.once("exit", () => resolve()).once("error", reject));
    const kill = () => this.child.kill("SIGKILL");
    process.once("exit", kill);
    this.end.finally(() => process.off("exit", kill)).catch(() => undefined);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Throws, with the end of its log, when the process has ended by itself. */
  check(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) return;
    const tail = readFileSync(this.log, "utf8").trim().split("\n").slice(-3).join("\n");
    throw new Error(`${this.command.join(" ")} ended (${exitCode ?? signalCode}):\n${tail}`);
  }

  usage(): Usage {
    this.check();
    const status = readFileSync(`/proc/${this.pid}/status`, "utf8");
    const mebibytes = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
    return {
      cpuS: cpuSeconds(readFileSync(`/proc/${this.pid}/stat`, "utf8")),
      rssMiB: mebibytes("VmRSS"),
      peakMiB: mebibytes("VmHWM"),
    };
  }

  /** Sends a signal and resolves when the process is gone. */
  async stop(signal: "SIGTERM" | "SIGKILL" = "SIGTERM"): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill(signal);
    await this.end;
  }
}
