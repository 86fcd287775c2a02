const newline = 0x0a;

/** Splits a byte stream into lines: text is decoded once a line, so a character cut in two by a chunk stays whole. */
export class LineSplitter {
  private rest: Buffer[] = [];

  /** The lines that `chunk` completes, without their ends; empty ones are left out. */
  *push(chunk: Buffer): Generator<string> {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(newline, start);
      if (end < 0) break;
      const line = this.take(chunk, start, end);
      if (line !== "") yield line;
      start = end + 1;
    }
    if (start < chunk.length) this.rest.push(start === 0 ? chunk : chunk.subarray(start));
  }

  private take(chunk: Buffer, start: number, end: number): string {
    if (this.rest.length === 0) return chunk.toString("utf8", start, end);
    const line = Buffer.concat([...this.rest, chunk.subarray(start, end)]).toString("utf8");
    this.rest = [];
    return line;
  }
}
