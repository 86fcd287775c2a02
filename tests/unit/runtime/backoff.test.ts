import assert from "node:assert/strict";
import { delayAfter } from "../../../operator/runtime";

describe("delayAfter", () => {
  const options = { minMs: 800, maxMs: 30_000, jitter: 1, random: () => 0 };

  it("doubles from the minimum to the cap", () => {
    const delays = Array.from({ length: 8 }, (_, failures) => delayAfter(failures, options));
    assert.deepEqual(delays, [800, 1600, 3200, 6400, 12800, 25600, 30000, 30000]);
  });

  it("adds up to the jitter's fraction, also to the cap", () => {
    const random = () => 0.999;
    const delay = delayAfter(10, { ...options, random });
    assert.ok(delay > 59_000 && delay < 60_000);
    assert.ok(delayAfter(10, { ...options, random, maxMs: 4_000 }) < 8_000);
  });
});
