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

/**
 * The delay in milliseconds after `failures` earlier failures. It doubles with every failure, and those who fail together do not come back
 * together. After apimachinery's wait.Backoff.
 */
export function delayAfter(failures: number, options: BackoffOptions): number {
  const { minMs, maxMs, jitter, random = Math.random } = options;
  const delay = Math.min(minMs * 2 ** Math.min(failures, 40), maxMs);
  return delay * (1 + jitter * random());
}
