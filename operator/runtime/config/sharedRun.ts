/** How long an answer, or a failure, is shared with those who ask right after. */
const sharedMs = 1_000;

interface Run<T> {
  refreshed: boolean;
  result: Promise<T>;
  /** By `performance.now()`. */
  endedAt?: number;
  failed?: boolean;
  /** By the wall clock. */
  expiresAt?: number;
}

/**
 * Asks for credentials when the first request wants them, when they have expired by the wall clock, and for a refresh. However many requests
 * wait, or are refused at once, one run serves them all.
 */
export function sharedRun<T>(
  run: (refresh: boolean) => Promise<T>,
  expiresAt: (answer: T) => number,
): (refresh?: boolean) => Promise<T> {
  let last: Run<T> | undefined;
  return (refresh = false) => {
    if (last && serves(last, refresh)) return last.result;
    const next: Run<T> = { refreshed: refresh, result: run(refresh) };
    next.result.then(
      (answer) => Object.assign(next, { endedAt: performance.now(), expiresAt: expiresAt(answer) }),
      () => Object.assign(next, { endedAt: performance.now(), failed: true }),
    );
    last = next;
    return next.result;
  };
}

function serves({ refreshed, endedAt, failed, expiresAt = 0 }: Run<unknown>, refresh: boolean): boolean {
  if (endedAt === undefined) return true;
  // Nor is what has expired from the start asked for by every request.
  const recent = performance.now() - endedAt <= sharedMs;
  if (failed) return recent;
  return refresh ? refreshed && recent : recent || Date.now() < expiresAt;
}
