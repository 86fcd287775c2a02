import { StringDecoder } from "node:string_decoder";

/** Splits a byte stream into lines; a character cut in two by a chunk stays whole. */
export class LineSplitter {
  private readonly decoder = new StringDecoder("utf8");
  private rest = "";

  /** The lines that `chunk` completes, without their ends; empty ones are left out. */
  push(chunk: Buffer): string[] {
    const lines = (this.rest + this.decoder.write(chunk)).split("\n");
    this.rest = lines.pop() ?? "";
    return lines.filter((line) => line !== "");
  }
}
