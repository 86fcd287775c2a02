/** Monotonic time and timers, in milliseconds; tests put a clock of their own in its place. */
export interface Clock {
  now(): number;
  setTimeout(fn: () => void, ms: number): Timer;
}

export interface Timer {
  cancel(): void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  setTimeout(fn, ms) {
    const timer = setTimeout(fn, ms);
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after `ms`, or at once when `signal` aborts: the caller looks at the signal. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      timer.cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const timer = clock.setTimeout(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}

/** Calls `fn` once `ms` have passed without a `touch`, which costs no timer. */
export class IdleTimer {
  private touchedAt: number;
  private timer: Timer;

  constructor(
    private readonly clock: Clock,
    private readonly ms: number,
    private readonly fn: () => void,
  ) {
    this.touchedAt = clock.now();
    this.timer = clock.setTimeout(() => this.look(), ms);
  }

  touch(): void {
    this.touchedAt = this.clock.now();
  }

  cancel(): void {
    this.timer.cancel();
  }

  private look(): void {
    const left = this.touchedAt + this.ms - this.clock.now();
    if (left > 0) this.timer = this.clock.setTimeout(() => this.look(), left);
    else this.fn();
  }
}
