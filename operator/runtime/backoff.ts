/** Times in milliseconds. */
export interface BackoffOptions {
  /** The delay after the first failure; each further one doubles it. */
  minMs: number;
  /** The longest delay, before the jitter. */
  maxMs: number;
  /** Adds up to this fraction of the delay at random. */
  jitter: number;
  random?: () => number;
}

/** Delays that double with every failure, so that those who fail together do not come back together. After apimachinery's wait.Backoff. */
export class Backoff {
  private failures = 0;

  constructor(private readonly options: BackoffOptions) {}

  /** The delay before the next try, in milliseconds; `maxMs` may lower the cap for this one. */
  next(maxMs = this.options.maxMs): number {
    return delayAfter(this.failures++, { ...this.options, maxMs });
  }

  reset(): void {
    this.failures = 0;
  }
}

/** The delay in milliseconds after `failures` earlier failures. */
export function delayAfter(failures: number, options: BackoffOptions): number {
  const { minMs, maxMs, jitter, random = Math.random } = options;
  const delay = Math.min(minMs * 2 ** Math.min(failures, 40), maxMs);
  return delay * (1 + jitter * random());
}
