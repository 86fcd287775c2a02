/** Reads the API server's audit log as it grows, and over its rotation. */
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

/** Requests by what they were: `patch memcacheds/status`, `create deployments 409`. */
export type Tally = Record<string, number>;

/** What an entry counts as in a tally; undefined for one that is not the end of a request, or the opening of a watch. */
export function requestOf({ stage, verb, objectRef = {}, responseStatus }: AuditEntry): string | undefined {
  if (stage !== (verb === "watch" ? "ResponseStarted" : "ResponseComplete")) return undefined;
  const { resource = "", subresource } = objectRef;
  const code = responseStatus?.code ?? 0;
  return `${verb} ${resource}${subresource ? `/${subresource}` : ""}${code >= 400 ? ` ${code}` : ""}`;
}

/** The name of the resource that an entry is about: that of an event is its object's with a number after it. */
export function nameOf({ objectRef: { resource, name = "" } = {} }: AuditEntry): string {
  return resource === "events" ? name.replace(/\.[^.]*$/, "") : name;
}

export const total = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

export const isRead = (request: string): boolean => /^(get|list|watch)( |$)/.test(request);

export const writes = (tally: Tally): Tally =>
  Object.fromEntries(Object.entries(tally).filter(([request]) => !isRead(request)));

const CHUNK = 1 << 20;

export class AuditTail {
  private fd: number;
  private rest: Buffer = Buffer.alloc(0);
  private readonly chunk = Buffer.alloc(CHUNK);

  /** Hands on the entries of the users whose names start with `who`. */
  constructor(
    private readonly file: string,
    private readonly who: string,
    private readonly onEntry: (entry: AuditEntry) => void,
  ) {
    this.fd = openSync(file, "r");
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
