import type { Clock } from "../clock";

const burst = 25;
const refillMs = 300_000;
const maxObjects = 4096;

/** A token bucket for each object: 25 events at once, then one every five minutes, as client-go's correlator. */
export class SpamFilter {
  private readonly buckets = new Map<string, { tokens: number; at: number }>();

  constructor(private readonly clock: Clock) {}

  admits(uid: string): boolean {
    const now = this.clock.now();
    const bucket = this.buckets.get(uid) ?? { tokens: burst, at: now };
    const tokens = Math.min(burst, bucket.tokens + (now - bucket.at) / refillMs);
    const admitted = tokens >= 1;
    // Last used, last in the map: the first is the one to forget.
    this.buckets.delete(uid);
    this.buckets.set(uid, { tokens: admitted ? tokens - 1 : tokens, at: now });
    if (this.buckets.size > maxObjects) {
      const oldest = this.buckets.keys().next();
      if (!oldest.done) this.buckets.delete(oldest.value);
    }
    return admitted;
  }
}
