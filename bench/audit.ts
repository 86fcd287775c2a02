/** What the API server's audit log says of each contender's requests. */
import { createReadStream, statSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";

interface Entry {
  stage: string;
  verb: string;
  requestURI: string;
  user: { username: string };
  objectRef?: { resource?: string; subresource?: string; name?: string };
  responseStatus?: { code?: number };
}

/** Requests by what they were: `patch memcacheds/status`, `create deployments 409`. */
export type Tally = Record<string, number>;

export class AuditLog {
  constructor(private readonly file: string) {}

  /** A place in the log: what comes later is counted from there. */
  mark(): number {
    return statSync(this.file).size;
  }

  /** A user's requests since a mark, the lease's left out, and those for the object named `except` and its events. */
  async requests(user: string, mark: number, except?: string): Promise<Tally> {
    const tally: Tally = {};
    for await (const entry of this.entries(user, mark)) {
      const { resource, subresource, name = "" } = entry.objectRef ?? {};
      // The name of an event is that of its object with a number after it.
      const of = resource === "events" ? name.replace(/\.[^.]*$/, "") : name;
      if (resource === "leases" || of === except) continue;
      if (entry.stage !== (entry.verb === "watch" ? "ResponseStarted" : "ResponseComplete")) continue;
      const code = entry.responseStatus?.code ?? 0;
      const what = `${entry.verb} ${resource ?? entry.requestURI.split("?")[0]}`;
      const key = `${what}${subresource ? `/${subresource}` : ""}${code >= 400 ? ` ${code}` : ""}`;
      tally[key] = (tally[key] ?? 0) + 1;
    }
    return tally;
  }

  /** Resolves when a user has asked for nothing for `quietMs`, or `limitMs` have passed. */
  async quiet(user: string, quietMs: number, limitMs: number): Promise<void> {
    const end = performance.now() + limitMs;
    for (let mark = this.mark(), since = performance.now(); performance.now() < end;) {
      await sleep(100);
      const from = mark;
      mark = this.mark();
      if (total(await this.requests(user, from)) > 0) since = performance.now();
      else if (performance.now() - since >= quietMs) return;
    }
  }

  private async *entries(user: string, mark: number): AsyncGenerator<Entry> {
    const size = this.mark();
    if (size === mark) return;
    const input = createReadStream(this.file, { start: mark, end: size - 1 });
    for await (const line of createInterface({ input })) {
      // Cheaper than to parse what is not asked for; a mark may lie within a line.
      if (!line.startsWith("{") || !line.endsWith("}") || !line.includes(`"${user}"`)) continue;
      const entry = JSON.parse(line) as Entry;
      if (entry.user.username === user) yield entry;
    }
  }
}

export const total = (tally: Tally): number => Object.values(tally).reduce((sum, count) => sum + count, 0);

const reading = /^(get|list|watch) /;

export const writes = (tally: Tally): Tally =>
  Object.fromEntries(Object.entries(tally).filter(([what]) => !reading.test(what)));
