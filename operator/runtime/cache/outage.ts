import type { Logger } from "../types";

/** Logs an outage once when it begins or its cause changes, and once when it ends, however many tries it takes. */
export class Outage {
  private cause: string | undefined;
  private since = 0;

  constructor(
    private readonly log: Logger,
    private readonly what: string,
  ) {}

  /** The cause while it lasts. */
  get reason(): string | undefined {
    return this.cause;
  }

  failed(cause: string): void {
    if (this.cause === cause) return;
    if (this.cause === undefined) this.since = performance.now();
    this.cause = cause;
    this.log.warn({ cause }, `${this.what} failed, trying again until it works`);
  }

  recovered(): void {
    if (this.cause === undefined) return;
    const seconds = Math.round((performance.now() - this.since) / 1000);
    this.log.info({ seconds }, `${this.what} works again`);
    this.cause = undefined;
  }
}
