/** Progress for people: a line when something starts, one now and then while it lasts, and one that says how long it took. */

/** Milliseconds between two signs of life of a long step. */
const TICK_MS = 20_000;

export function say(line: string): void {
  process.stderr.write(`${line}\n`);
}

export function seconds(ms: number): string {
  const s = Math.round(ms / 1000);
  return s < 60 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(s / 60)} min ${String(s % 60).padStart(2, "0")} s`;
}

/** Runs a step, telling what it is, how long it has run every 20 s, and how long it took. */
export async function step<T>(what: string, work: () => Promise<T>): Promise<T> {
  const started = performance.now();
  say(`${what} …`);
  const timer = setInterval(() => say(`  still ${what} (${seconds(performance.now() - started)})`), TICK_MS);
  try {
    const result = await work();
    say(`  done in ${seconds(performance.now() - started)}: ${what}`);
    return result;
  } finally {
    clearInterval(timer);
  }
}
