/** So many at once, and then one each time a while has passed. Times in milliseconds. */
export class TokenBucket {
  private tokens: number;
  private at: number;

  /** `now` gives milliseconds that only go forward. */
  constructor(
    private readonly burst: number,
    private readonly refillMs: number,
    private readonly now: () => number,
  ) {
    this.tokens = burst;
    this.at = now();
  }

  /** How many there are; one may be taken from 1 up. */
  left(): number {
    const now = this.now();
    this.tokens = Math.min(this.burst, this.tokens + (now - this.at) / this.refillMs);
    this.at = now;
    return this.tokens;
  }

  take(): void {
    this.tokens--;
  }
}
