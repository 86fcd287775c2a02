/** What the API server's audit log says of each contender's requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { AuditTail, nameOf, requestOf, type Tally, total } from "./auditTail";

type Request = Record<"user" | "name" | "what", string>;

export class AuditLog {
  private readonly seen: Request[] = [];
  private readonly tail: AuditTail;

  /** Keeps the requests of the users whose names start with `who`, those for leases left out. */
  constructor(file: string, who: string) {
    this.tail = new AuditTail(file, who, (entry) => {
      const what = requestOf(entry);
      if (what && entry.objectRef?.resource !== "leases")
        this.seen.push({ user: entry.user.username, name: nameOf(entry), what });
    });
  }

  /** A place in the log: what comes later is counted from there. */
  mark(): number {
    this.tail.read();
    return this.seen.length;
  }

  /** A user's requests since a mark, without those for the object named `except` and its events. */
  requests(user: string, mark: number, except?: string): Tally {
    this.tail.read();
    const tally: Tally = {};
    for (const request of this.seen.slice(mark))
      if (request.user === user && request.name !== except) tally[request.what] = (tally[request.what] ?? 0) + 1;
    return tally;
  }

  /** Resolves when a user has asked for nothing for `quietMs`, or `limitMs` have passed. */
  async quiet(user: string, quietMs: number, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    for (let mark = this.mark(), since = performance.now(); performance.now() < end;) {
      await sleep(100);
      if (total(this.requests(user, mark)) > 0) since = performance.now();
      else if (performance.now() - since >= quietMs) return;
      mark = this.seen.length;
    }
  }

  close(): void {
    this.tail.close();
  }
}
