import type { Clock, Timer } from "../../../../operator/runtime/clock";

/** Time that stands still until a test moves it. */
export class FakeClock implements Clock {
  private time = 0;
  private readonly timers = new Map<number, { at: number; fn: () => void }>();
  private nextId = 0;

  now(): number {
    return this.time;
  }

  setTimeout(fn: () => void, ms: number): Timer {
    const id = this.nextId++;
    this.timers.set(id, { at: this.time + Math.max(0, ms), fn });
    return { cancel: () => this.timers.delete(id) };
  }

  get pending(): number {
    return this.timers.size;
  }

  /** Moves on, firing timers in order and letting promises settle after each. */
  async advance(ms: number): Promise<void> {
    const end = this.time + ms;
    await settle();
    for (;;) {
      const due = [...this.timers].filter(([, t]) => t.at <= end).sort(([a, x], [b, y]) => x.at - y.at || a - b)[0];
      if (!due) break;
      const [id, { at, fn }] = due;
      this.timers.delete(id);
      this.time = Math.max(this.time, at);
      fn();
      await settle();
    }
    this.time = end;
    await settle();
  }

  /** Lets time pass without a single timer firing, as for a process that is stopped. */
  freeze(ms: number): void {
    this.time += ms;
  }
}

/** Lets everything that only waits for promises and immediates run. */
export async function settle(rounds = 3): Promise<void> {
  for (let i = 0; i < rounds; i++) await new Promise<void>((resolve) => setImmediate(resolve));
}
