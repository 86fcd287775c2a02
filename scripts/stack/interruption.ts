/** A program that is told of an interruption once, and has some time to end what it is at. */
import type { ChildProcess } from "node:child_process";
import { constants } from "node:os";
import { UserError } from "../../cluster/errors";
import { say } from "../../cluster/report";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof SIGNALS)[number];

/** Milliseconds that it has, after which it is ended with all that it started. */
const LIMIT_MS = 60_000;

export interface Program<T> {
  /** What runs, for the terminal. */
  name: string;
  /** Runs it in a process group of its own, and tells of the process as soon as there is one. */
  run(started: (child: ChildProcess) => void): Promise<T>;
  /** Ends it and all that it started. */
  end(): Promise<unknown>;
}

/**
 * Runs a program to its end. The first signal to this process is passed on to it as SIGINT; a second one, or a minute,
 * ends it. The call fails then, with the exit code of a signal. Nothing of the program goes on when it returns.
 */
export async function interruptible<T>(program: Program<T>): Promise<T> {
  let child: ChildProcess | undefined;
  let signalled: Signal | undefined;
  let timer: NodeJS.Timeout | undefined;
  const onSignal = (signal: Signal) => {
    if (signalled) return void program.end();
    signalled = signal;
    // With a terminal that is gone, writing to it must not be what ends us.
    for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);
    say(`\ninterrupted: ${program.name} finishes what it is at; once more ends it at once …`);
    child?.kill("SIGINT");
    timer = setTimeout(() => void program.end(), LIMIT_MS);
  };
  SIGNALS.forEach((signal) => process.on(signal, onSignal));
  let result: T;
  try {
    result = await program.run((started) => {
      child = started;
      // What it left running may hold its output open, for whose end the run waits.
      child.once("exit", () => void program.end());
    });
  } catch (error) {
    throw signalled ? interrupted(signalled) : error;
  } finally {
    clearTimeout(timer);
    await program.end();
    SIGNALS.forEach((signal) => process.off(signal, onSignal));
  }
  if (signalled) throw interrupted(signalled);
  return result;
}

const interrupted = (signal: Signal): UserError =>
  new UserError("interrupted: the same command again goes on from here.", 128 + constants.signals[signal]);
