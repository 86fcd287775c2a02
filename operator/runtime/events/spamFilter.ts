import type { Clock } from "../clock";
import { TokenBucket } from "./tokenBucket";

const burst = 25;
const refillMs = 300_000;
const maxObjects = 4096;

/** A token bucket for each object: 25 events at once, then one every five minutes, as client-go's correlator. */
export class SpamFilter {
  private readonly buckets = new Map<string, TokenBucket>();

  constructor(private readonly clock: Clock) {}

  admits(uid: string): boolean {
    const bucket = this.buckets.get(uid) ?? new TokenBucket(burst, refillMs, () => this.clock.now());
    // Last used, last in the map: the first is the one to forget.
    this.buckets.delete(uid);
    this.buckets.set(uid, bucket);
    if (this.buckets.size > maxObjects) {
      const oldest = this.buckets.keys().next();
      if (!oldest.done) this.buckets.delete(oldest.value);
    }
    if (bucket.left() < 1) return false;
    bucket.take();
    return true;
  }
}
