import { readFile } from "node:fs/promises";

/** For what is read only when a connection opens, so that many that open together read once. */
export const certificateMaxAgeMs = 1_000;

/**
 * A file that others rotate (tokens, certificates). Read again at most every `maxAgeMs`, so that a rotation is seen without a
 * watcher; while a rotation is half done the last content serves on.
 */
export class RotatedFile {
  private content: string | undefined;
  private readAt = -Infinity;
  private pending: Promise<string> | undefined;

  constructor(
    readonly path: string,
    private readonly maxAgeMs = 10_000,
  ) {}

  /** The content; with `fresh` read now. Rejects only when it could never be read. */
  read(fresh = false): Promise<string> {
    if (!fresh && this.content !== undefined && performance.now() - this.readAt < this.maxAgeMs) {
      return Promise.resolve(this.content);
    }
    this.pending ??= this.load().finally(() => (this.pending = undefined));
    return this.pending;
  }

  private async load(): Promise<string> {
    try {
      this.content = await readFile(this.path, "utf8");
      this.readAt = performance.now();
    } catch (error) {
      if (this.content === undefined) {
        throw new Error(`cannot read ${this.path}: ${(error as Error).message}`, { cause: error });
      }
    }
    return this.content;
  }
}
