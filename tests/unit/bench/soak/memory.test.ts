import assert from "node:assert/strict";
import { type Sample, slopeOf, trendOf } from "../../../../bench/soak/memory";

const life = (pid: number, fromS: number, toS: number, rss: (s: number) => number): Sample[] =>
  Array.from({ length: toS - fromS }, (_, i) => ({ pid, atS: fromS + i, rssMiB: rss(fromS + i) }));

describe("soak: memory", () => {
  it("finds a straight line's slope", () => {
    assert.equal(
      slopeOf([
        [0, 1],
        [1, 3],
        [2, 5],
      ]),
      2,
    );
    assert.equal(
      slopeOf([
        [1, 5],
        [1, 7],
      ]),
      0,
    );
  });

  it("follows the process that lives longest from the given time on, and leaves its warm-up out", () => {
    const warmUp = (s: number) => Math.min(s, 30);
    const samples = [...life(1, 0, 300, (s) => 50 + warmUp(s) + s / 60), ...life(2, 100, 200, () => 900)];
    const trend = trendOf(samples, 60);
    assert.equal(trend?.overS, 239);
    assert.ok(Math.abs((trend?.slope ?? 0) - 1) < 1e-9);
    assert.ok((trend?.peakMiB ?? 0) < 100);
  });

  it("says nothing of processes that have just begun", () => {
    assert.equal(
      trendOf(
        life(1, 0, 35, () => 1),
        0,
      ),
      undefined,
    );
  });
});
