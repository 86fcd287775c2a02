import assert from "node:assert/strict";
import { Backoff } from "../../../operator/runtime/backoff";

describe("Backoff", () => {
  const options = { minMs: 800, maxMs: 30_000, jitter: 1, random: () => 0 };

  it("doubles from the minimum to the cap and starts over after a reset", () => {
    const backoff = new Backoff(options);
    assert.deepEqual(
      Array.from({ length: 8 }, () => backoff.next()),
      [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000],
    );
    backoff.reset();
    assert.equal(backoff.next(), 800);
  });

  it("adds up to the jitter's fraction and takes a lower cap for one try", () => {
    const backoff = new Backoff({ ...options, random: () => 0.999 });
    for (let i = 0; i < 10; i++) backoff.next();
    assert.ok(backoff.next() > 59_000 && backoff.next() < 60_000);
    assert.ok(backoff.next(4_000) < 8_000);
  });
});
