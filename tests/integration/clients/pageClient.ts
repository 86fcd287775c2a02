/** A program of docs/clients.md at work. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import type { Language } from "./languages";
import { programOf } from "./page";

/** Writes the program under a heading of the page into a folder, with what drives it, and gives the command that runs it. */
export async function prepare(heading: string, language: Language, folder: string): Promise<string[]> {
  const { file, text } = programOf(heading);
  mkdirSync(folder);
  writeFileSync(join(folder, file), text);
  return language(folder);
}

export class PageClient {
  private readonly child: ChildProcessByStdio<Writable, Readable, Readable>;
  private readonly answers: AsyncIterator<string>;
  private said = "";

  constructor([program, ...args]: string[], servers: string, secrets: string) {
    const env = { PATH: process.env.PATH, MEMCACHED_SERVERS: servers, MEMCACHED_SECRETS: secrets };
    this.child = spawn(program!, args, { env, stdio: ["pipe", "pipe", "pipe"] });
    this.child.stdin.on("error", () => undefined);
    this.child.stderr.setEncoding("utf8").on("data", (text: string) => (this.said += text));
    this.answers = createInterface({ input: this.child.stdout })[Symbol.asyncIterator]();
  }

  /** Stores a value and reads it back, with the cache that the program made first or with another: `ok`, or what went wrong. */
  async ask(cache: "kept" | "new"): Promise<string> {
    this.child.stdin.write(`${cache}\n`);
    const { value, done } = await this.answers.next();
    if (done) throw new Error(`the client ended: ${this.said}`);
    return value;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const ended = once(this.child, "exit");
    this.child.kill("SIGKILL");
    await ended;
  }
}
