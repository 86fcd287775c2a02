import type { ChildProcess } from "node:child_process";
import { spawnOperator } from "../../support/spawnOperator";

/** The bundle as it is in the image, run by this Node in an empty folder. */
export class Operator {
  output = "";
  private readonly child: ChildProcess;
  private readonly ended: Promise<number | null>;

  constructor(bundle: string, args: string[], env: Record<string, string>) {
    this.child = spawnOperator(bundle, args, env, (text) => (this.output += text));
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
