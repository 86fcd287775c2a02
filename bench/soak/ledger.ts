/** The operators' requests, kept account of: what they wrote to whom, and who held the lease then. */
import { type AuditEntry, READ, nameOf, requestOf, type Tally } from "../auditTail";

interface Write {
  user: string;
  /** When the server received it, in microseconds. */
  at: number;
  what: string;
}

interface Hold {
  user: string;
  /** When the request that took the lease was received, and when it was answered, in microseconds. */
  askedAt: number;
  at: number;
}

export class Ledger {
  /** Requests by what they were, those for the lease left out. */
  readonly requests: Tally = {};
  /** Writes by the resource they were for, `NAMESPACE/NAME`. */
  readonly writesOf = new Map<string, number>();
  readonly holds: Hold[] = [];
  writes = 0;
  /** When the lease was written last, in microseconds, and by whom. */
  lease: { user: string; at: number } | undefined;
  private readonly written: Write[] = [];

  readonly take = (entry: AuditEntry): void => {
    const { verb, objectRef: { resource, namespace = "", name = "" } = {}, responseStatus: { code = 0 } = {} } = entry;
    const user = entry.user.username;
    const at = micros(entry.requestReceivedTimestamp);
    if (resource === "leases") {
      if (verb !== "get" && code < 400) this.leaseWritten({ user, askedAt: at, at: micros(entry.stageTimestamp) });
      return;
    }
    const what = requestOf(entry);
    if (!what) return;
    this.requests[what] = (this.requests[what] ?? 0) + 1;
    if (READ.test(what)) return;
    this.writes++;
    const of = `${namespace}/${nameOf(entry)}`;
    this.writesOf.set(of, (this.writesOf.get(of) ?? 0) + 1);
    this.written.push({ user, at, what: `${what} ${namespace}/${name}` });
  };

  /** Who may write now, by the name of its account. */
  get leader(): string | undefined {
    return this.holds.at(-1)?.user;
  }

  /** Writes that a process made after another had taken the lease, in sentences. */
  strangers(): string[] {
    return this.written.flatMap((write) => strangerOf(write, this.holds) ?? []);
  }

  private leaseWritten(hold: Hold): void {
    this.lease = { user: hold.user, at: hold.at };
    if (hold.user !== this.leader) this.holds.push(hold);
  }
}

/** The server's answer may reach the new leader before it is in the log: its own writes count from when it asked. */
function strangerOf({ user, at, what }: Write, holds: Hold[]): string | undefined {
  const allowed = holds.findLast((hold) => hold.at < at || (hold.user === user && hold.askedAt <= at));
  if (allowed?.user === user) return undefined;
  const since = allowed
    ? `${((at - allowed.at) / 1000).toFixed(1)} ms after ${short(allowed.user)} had taken the lease`
    : "without the lease";
  return `${short(user)} wrote (${what}) ${since}, at ${new Date(at / 1000).toISOString()}`;
}

const short = (user: string): string => user.slice(user.lastIndexOf(":") + 1);

/** Microseconds since 1970 of a Kubernetes timestamp. */
export function micros(timestamp: string): number {
  const fraction = /\.(\d+)Z$/.exec(timestamp)?.[1] ?? "";
  const whole = Date.parse(timestamp.replace(/\.\d+Z$/, "Z"));
  return whole * 1000 + Number(fraction.padEnd(6, "0").slice(0, 6));
}
