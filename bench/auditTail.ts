/** Reads the API server's audit log as it grows. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";

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

export const READ = /^(get|list|watch)( |$)/;

export const writes = (tally: Tally): Tally =>
  Object.fromEntries(Object.entries(tally).filter(([request]) => !READ.test(request)));

export class AuditTail {
  private readonly fd: number;
  private rest = Buffer.alloc(0);
  private offset = 0;

  /** Hands on the entries of the users whose names start with `who`. */
  constructor(
    file: string,
    private readonly who: string,
    private readonly onEntry: (entry: AuditEntry) => void,
  ) {
    this.fd = openSync(file, "r");
  }

  /** Reads all there is by now. */
  read(): void {
    const fresh = Buffer.alloc(fstatSync(this.fd).size - this.offset);
    this.offset += readSync(this.fd, fresh, 0, fresh.length, this.offset);
    const data = Buffer.concat([this.rest, fresh]);
    const end = data.lastIndexOf(10) + 1;
    this.rest = data.subarray(end);
    data.toString("utf8", 0, end).split("\n").forEach(this.take);
  }

  close(): void {
    closeSync(this.fd);
  }

  private readonly take = (line: string): void => {
    // Cheaper than to parse what is not asked for. A server that was killed may leave half a line behind.
    if (!line.startsWith("{") || !line.endsWith("}") || !line.includes(`"${this.who}`)) return;
    const entry = JSON.parse(line) as AuditEntry;
    if (entry.user.username.startsWith(this.who)) this.onEntry(entry);
  };
}
