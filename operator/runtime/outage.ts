import type { Logger } from "./types";

const maxCausesTold = 3;

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
