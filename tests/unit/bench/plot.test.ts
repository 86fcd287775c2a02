import assert from "node:assert/strict";
import { plot } from "../../../bench/plot";

describe("bench: plot", () => {
  const svg = plot("Memory", "MiB", [
    {
      name: "ours",
      colour: "blue",
      points: [
        [1000, 80],
        [5000, 160],
      ],
    },
  ]);

  it("draws what grows in proportion higher in proportion, from a zero at the bottom", () => {
    const points = [...svg.matchAll(/<circle cx="([\d.]+)" cy="([\d.]+)"/g)].map(([, x, y]) => [Number(x), Number(y)]);
    const bottom = Number(/text x="\d+" y="([\d.]+)" text-anchor="end">0 MiB/.exec(svg)?.[1]) - 4;
    const [[, low = 0] = [], [, high = 0] = []] = points;
    assert.ok(Math.abs((bottom - high) / (bottom - low) - 2) < 0.01, JSON.stringify({ bottom, points }));
  });

  it("names its axes, its series and its ticks", () => {
    for (const text of ["Memory", "Memcached resources", "ours", "1,000", "5,000", "50 MiB", "200 MiB"])
      assert.ok(svg.includes(`>${text}</text>`), text);
  });
});
