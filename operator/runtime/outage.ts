import type { Logger } from "./types";

const maxCausesTold = 3;

/** What is told of an outage by whoever notices it; see `Outage`. */
export type Reported = Pick<Outage, "reason" | "failed" | "recovered">;

/** Logs an outage once for each cause it shows and once when it ends, however many tries it takes. */
export class Outage {
  private cause: string | undefined;
  private since = 0;
  private readonly told = new Set<string>();

  constructor(
    private readonly log: Logger,
    private readonly what: string,
  ) {}

  /** The latest cause, while it lasts. */
  get reason(): string | undefined {
    return this.cause;
  }

  failed(cause: string): void {
    if (this.cause === undefined) this.since = performance.now();
    this.cause = cause;
    // Causes come by turns: refused, reset, refused.
    if (this.told.has(cause) || this.told.size >= maxCausesTold) return;
    this.told.add(cause);
    this.log.warn({ cause }, `${this.what} failed, trying again until it works`);
  }

  /** Tells that it works, and gives whether it did not before. */
  recovered(): boolean {
    if (this.cause === undefined) return false;
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.log.info({ seconds }, `${this.what} works again`);
    this.cause = undefined;
    this.told.clear();
    return true;
  }
}

/**
 * Things that fail together for one cause, such as all kinds of a namespace whose right is gone, told as one outage: in the words of
 * the first part that fails, until every part works.
 */
export class SharedOutage {
  private readonly failing = new Set<object>();
  private teller: object | undefined;

  constructor(private readonly outage: Outage) {}

  part(): Reported {
    let reason: string | undefined;
    const part = {
      get reason() {
        return reason;
      },
      failed: (cause: string) => {
        reason = cause;
        this.failing.add(part);
        this.teller ??= part;
        if (this.teller === part) this.outage.failed(cause);
      },
      recovered: () => {
        reason = undefined;
        if (!this.failing.delete(part)) return false;
        // Who still fails after that tells why.
        if (this.teller === part) this.teller = undefined;
        if (this.failing.size === 0) this.outage.recovered();
        return true;
      },
    };
    return part;
  }
}
