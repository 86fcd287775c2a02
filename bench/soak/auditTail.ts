/** Reads the API server's audit log as it grows, over its rotation (the server starts a new file every 100 MB). */
import { closeSync, fstatSync, openSync, readSync, statSync } from "node:fs";

export interface AuditEntry {
  stage: string;
  verb: string;
  user: { username: string };
  objectRef?: { resource?: string; subresource?: string; namespace?: string; name?: string };
  responseStatus?: { code?: number };
  /** When the server had the request, and when it was through with it. */
  requestReceivedTimestamp: string;
  stageTimestamp: string;
}

const CHUNK = 1 << 20;

export class AuditTail {
  private fd: number;
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunk = Buffer.alloc(CHUNK);
  private readonly timer: NodeJS.Timeout;

  /** Hands on the entries of the users whose names hold `who`. */
  constructor(
    private readonly file: string,
    private readonly who: string,
    private readonly onEntry: (entry: AuditEntry) => void,
  ) {
    this.fd = openSync(file, "r");
    this.timer = setInterval(() => this.read(), 200);
  }

  /** Reads all there is by now. */
  read(): void {
    this.drain();
    const { ino } = fstatSync(this.fd);
    const current = statSync(this.file, { throwIfNoEntry: false });
    if (!current || current.ino === ino) return;
    // Something may have been written between the last read and the rotation.
    this.drain();
    closeSync(this.fd);
    this.fd = openSync(this.file, "r");
    this.drain();
  }

  close(): void {
    clearInterval(this.timer);
    closeSync(this.fd);
  }

  private drain(): void {
    for (let size = this.more(); size > 0; size = this.more()) {
      const data = Buffer.concat([this.rest, this.chunk.subarray(0, size)]);
      let from = 0;
      for (let end = data.indexOf(10); end >= 0; end = data.indexOf(10, from)) {
        this.take(data.toString("utf8", from, end));
        from = end + 1;
      }
      this.rest = data.subarray(from);
    }
  }

  private more(): number {
    return readSync(this.fd, this.chunk, 0, CHUNK, null);
  }

  private take(line: string): void {
    // Cheaper than to parse what is not asked for. A server that was killed may leave half a line behind.
    if (!line.startsWith("{") || !line.endsWith("}") || !line.includes(`"${this.who}`)) return;
    const entry = JSON.parse(line) as AuditEntry;
    if (entry.user.username.startsWith(this.who)) this.onEntry(entry);
  }
}
