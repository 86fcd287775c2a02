import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";

/** The bundle as it is in the image, run by this Node in an empty folder. */
export class Operator {
  output = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(bundle: string, args: string[], env: Record<string, string>) {
    this.child = spawn(process.execPath, [join(bundle, "main.js"), ...args], {
      cwd: bundle,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.ended = new Promise((resolve) => this.child.once("exit", resolve));
  }

  async end(signal?: NodeJS.Signals): Promise<number | null> {
    if (signal) this.child.kill(signal);
    return this.ended;
  }
}

/** What the operator's own server on this port answers; code 0 when there is none. */
export function probe(port: number | undefined, path: string): Promise<{ code: number; text: string }> {
  return fetch(`http://127.0.0.1:${port}${path}`).then(
    async (answer) => ({ code: answer.status, text: await answer.text() }),
    () => ({ code: 0, text: "" }),
  );
}
