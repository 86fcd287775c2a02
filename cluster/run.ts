/** Runs programs: to completion with their output kept, or for their exit code alone. */
import { spawn, type ChildProcess } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";

export interface RunOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  /** Text for standard input. */
  input?: string;
  /** Milliseconds until the program is killed and the call fails; 10 minutes by default. */
  timeoutMs?: number;
  /** Where output goes as it comes; kept and returned in any case. */
  onOutput?: (text: string) => void;
  /** Runs the program in a process group of its own, which a terminal's signals do not reach; told of the process. */
  ownGroup?: (child: ChildProcess) => void;
}

export interface RunResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs a program and gives what it printed, whatever its exit code. Rejects when it cannot be started or times out. */
export function tryRun(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const { cwd, env, ownGroup } = options;
    const child = spawn(command, args, { cwd, env, detached: ownGroup !== undefined, stdio: ["pipe", "pipe", "pipe"] });
    ownGroup?.(child);
    const out = { stdout: "", stderr: "" };
    const limit = options.timeoutMs ?? 600_000;
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`${command} ${args.join(" ")} did not end within ${limit / 1000} s`));
    }, limit);
    for (const stream of ["stdout", "stderr"] as const) {
      child[stream].setEncoding("utf8").on("data", (text: string) => {
        out[stream] += text;
        options.onOutput?.(text);
      });
    }
    child.stdin.on("error", () => undefined);
    child.stdin.end(options.input ?? "");
    child.on("error", (error) => {
      clearTimeout(timer);
      reject(error);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? (signal ? 128 : 1), ...out });
    });
  });
}

/** Runs a program that must succeed, and gives its standard output. Its error output is in the message otherwise. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<string> {
  const { code, stdout, stderr } = await tryRun(command, args, options);
  if (code !== 0) throw new Error(`${command} ${args.join(" ")} failed (exit ${code}): ${(stderr || stdout).trim()}`);
  return stdout;
}

/** The full path of a program on PATH, or undefined. `/usr/sbin` and `/sbin` are looked at as well. */
export function which(name: string): string | undefined {
  for (const dir of `${process.env.PATH ?? ""}:/usr/sbin:/sbin`.split(":").filter(Boolean)) {
    try {
      accessSync(`${dir}/${name}`, constants.X_OK);
      if (statSync(`${dir}/${name}`).isFile()) return `${dir}/${name}`;
    } catch {
      continue;
    }
  }
  return undefined;
}
