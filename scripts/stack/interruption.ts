/** A program that is told of an interruption once, and has some time to end what it is at. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { endsWithUs } from "../../cluster/child";
import { UserError } from "../../cluster/errors";
import { say } from "../../cluster/report";
import { tryRun, type RunOptions, type RunResult } from "../../cluster/run";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];

/** Milliseconds that it has, after which it is ended with all that it started. */
const LIMIT_MS = 60_000;

/**
 * The program is the first process of a namespace: when it ends, or this process does, however that comes about, the kernel ends all
 * that it started. Plugins of Pulumi have process groups of their own, and would outlive an engine that is killed.
 */
function around(command: readonly string[]): string[] {
  const asRoot = process.getuid?.() === 0 ? [] : ["--map-root-user"];
  return [...endsWithUs(), "unshare", ...asRoot, "--pid", "--mount-proc", "--kill-child", "--", ...command];
}

/**
 * Runs a program to its end. The first signal to this process is passed on to it as SIGINT; a second one, or a minute,
 * ends it. The call fails then, with the exit code of a signal. Nothing of the program goes on when it returns. `name` is
 * what the terminal calls it.
 */
export async function interruptible(name: string, command: readonly string[], options: RunOptions): Promise<RunResult> {
  let child: ChildProcess | undefined;
  let signalled: Signal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const end = () => void child?.kill("SIGKILL");
  const onSignal = (signal: Signal) => {
    if (signalled) return end();
    signalled = signal;
    // With a terminal that is gone, writing to it must not be what ends us.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
    say(`\ninterrupted: ${name} finishes what it is at; once more ends it at once …`);
    if (child?.pid) process.kill(-child.pid, "SIGINT");
    timer = setTimeout(end, LIMIT_MS);
  };
  SIGNALS.forEach((signal) => process.on(signal, onSignal));
  const [program = "", ...args] = around(command);
  const running = tryRun(program, args, { ...options, ownGroup: (started) => void (child = started) });
  // Whatever it comes to, also when it fails.
  await running.catch(() => undefined);
  clearTimeout(timer);
  SIGNALS.forEach((signal) => process.off(signal, onSignal));
  if (signalled) throw interrupted(signalled);
  return running;
}

const interrupted = (signal: Signal): UserError =>
  new UserError("interrupted: the same command again goes on from here.", 128 + constants.signals[signal]);
