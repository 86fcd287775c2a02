/** Starts the little operator of program.ts as processes, and ends them with the test. */
import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ControlPlane } from "../../support/controlPlane";
import { until } from "../../support/until";
import type { FaultProxy } from "./faultProxy";
import type { Line } from "./harness";

export interface Program {
  child: ChildProcess;
  lines: Line[];
  /** Set once it has ended: its exit code, or the signal that ended it. */
  ended?: number | NodeJS.Signals;
  /** Resolves to `ended`. */
  end(limitMs: number): Promise<number | NodeJS.Signals>;
  said(message: string): boolean;
}

const running: (() => void)[] = [];

/** Kills what is still running; call it in afterEach. */
export function killPrograms(): void {
  for (const kill of running.splice(0)) kill();
}

/** `wrapper`: a command, with its arguments, that the program is run by. */
export function startProgram(
  cp: ControlPlane,
  proxy: Pick<FaultProxy, "config">,
  options: object,
  wrapper: string[] = [],
): Program {
  const dir = mkdtempSync(join(tmpdir(), "program-"));
  const kubeconfig = join(dir, "kubeconfig");
  const cluster = { server: proxy.config.server, "certificate-authority": join(cp.pki, "ca.crt") };
  const config = {
    "current-context": "proxy",
    contexts: [{ name: "proxy", context: { cluster: "proxy", user: "none" } }],
    clusters: [{ name: "proxy", cluster }],
    users: [{ name: "none", user: {} }],
  };
  writeFileSync(kubeconfig, JSON.stringify(config));
  const env = { ...process.env, KUBECONFIG: kubeconfig, OPTIONS: JSON.stringify(options) };
  const [command = "", ...args] = [...wrapper, process.execPath, "--require", "tsx/cjs", join(__dirname, "program.ts")];
  const child = spawn(command, args, { env });
  const program: Program = {
    child,
    lines: [],
    end: (limitMs) =>
      until("the program to end", limitMs, () => (program.ended === undefined ? false : { is: program.ended })).then(
        (e) => e.is,
      ),
    said: (message) => program.lines.some((line) => line.msg.includes(message)),
  };
  let rest = "";
  child.stderr?.setEncoding("utf8").on("data", (chunk: string) => {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines)
      program.lines.push(line.startsWith("{") ? (JSON.parse(line) as Line) : { level: "raw", msg: line });
  });
  child.on("exit", (code, signal) => {
    program.ended = code ?? signal ?? 0;
    rmSync(dir, { recursive: true });
  });
  running.push(() => child.kill("SIGKILL"));
  return program;
}
