/** After this long under way a request no longer counts. */
const stallMs = 2_000;

/**
 * Bounds requests in flight without letting slow ones starve the rest: a request that has been under way for a while gives
 * its place to the next and goes on.
 */
export class Limiter {
  private busy = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly limit: number) {}

  /** Resolves, in order, to the function that gives the place back. */
  async enter(): Promise<() => void> {
    if (this.busy >= this.limit) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.busy++;
    let held = true;
    const leave = () => {
      if (!held) return;
      held = false;
      clearTimeout(stall);
      const next = this.waiting.shift();
      if (next) next();
      else this.busy--;
    };
    const stall = setTimeout(leave, stallMs);
    return leave;
  }
}
