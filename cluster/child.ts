/** Programs that run beside this process, each with a log of its own, and end with it. */
import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, openSync, readFileSync } from "node:fs";
import { which } from "./run";

const running = new Set<ChildProcess>();
process.once("exit", () => running.forEach((child) => child.kill("SIGKILL")));

/** A prefix under which a program ends with this process also when that is killed, or is itself stopped. */
export const endsWithUs = (): string[] => (which("setpriv") ? ["setpriv", "--pdeathsig", "KILL", "--"] : []);

export class Child {
  readonly startedAt = performance.now();
  readonly ended: Promise<unknown>;
  private readonly child: ChildProcess;

  constructor(
    private readonly command: readonly string[],
    private readonly log: string,
    options: { cwd?: string; env?: NodeJS.ProcessEnv } = {},
  ) {
    const output = openSync(log, "a");
    const [program = "", ...args] = command;
    const child = spawn(program, args, { ...options, stdio: ["ignore", output, output] });
    closeSync(output);
    running.add(child);
    this.child = child;
    this.ended = new Promise((resolve) => child.once("exit", resolve).once("error", resolve));
    void this.ended.then(() => running.delete(child));
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Its exit code, or the signal that ended it; undefined while it runs. */
  get end(): number | NodeJS.Signals | undefined {
    return this.child.exitCode ?? this.child.signalCode ?? undefined;
  }

  /** Throws, with the end of its log, when it has ended by itself. */
  check(): void {
    if (this.end === undefined && this.pid !== 0) return;
    const tail = readFileSync(this.log, "utf8").trim().split("\n").slice(-3).join("\n");
    throw new Error(`${this.command.join(" ")} ended (${this.end ?? "it did not start"}):\n${tail}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  /** Sends a signal and resolves when the process is gone. */
  async stop(signal: NodeJS.Signals = "SIGTERM"): Promise<void> {
    if (this.end === undefined) this.child.kill(signal);
    await this.ended;
  }
}
