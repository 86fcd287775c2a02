import assert from "node:assert/strict";
import { findings, missed } from "../../../bench/bounds";
import { crowdOf, raceOf, resultsOf } from "./results";

const slow = raceOf({ convergeMs: 10_000, cpuCreateS: 3, rssMiB: 60 });

describe("bench: bounds", () => {
  it("misses nothing when every figure is within its bound", () => {
    const results = resultsOf({
      races: [{ ours: raceOf(), go: slow }],
      crowds: [{ ours: crowdOf(1_999), go: crowdOf(5_000) }],
      takeovers: [{ ours: { termMs: 2_900, killMs: 18_900 }, go: { termMs: 9_000, killMs: 30_000 } }],
    });
    assert.deepEqual(missed(findings(results)), []);
  });

  it("names each figure that is over its bound", () => {
    const results = resultsOf({
      races: [{ ours: raceOf({ convergeMs: 8_600, rssMiB: 97, restartWrites: 1 }), go: slow }],
      crowds: [{ ours: crowdOf(2_001), go: crowdOf(10) }],
    });
    assert.deepEqual(missed(findings(results)), [
      "1,000 resources: converge",
      "1,000 resources: resident memory",
      "1,000 resources: restart: writes",
      "2000 resources, 200 of which fail for ever: a fresh resource in the crowd: first write",
    ]);
  });

  it("holds a resource to one write a child, two of its status and no read, whatever the answer was", () => {
    const createRequests = {
      ...{ "patch deployments": 1, "patch deployments 409": 0.01, "patch services": 1 },
      ...{ "patch memcacheds/status": 2, "patch memcacheds/status 404": 0.01, "get memcacheds": 0.01 },
    };
    const results = resultsOf({ races: [{ ours: raceOf({ createRequests }), go: slow }] });
    assert.deepEqual(missed(findings(results)), [
      "1,000 resources: create: writes of children a resource",
      "1,000 resources: create: status writes a resource",
      "1,000 resources: create: reads a resource",
    ]);
  });

  it("compares only what ran side by side: the median of the rounds' ratios", () => {
    const times = [
      [80, 100],
      [800, 1000],
      [9, 1],
    ];
    const races = times.map(([ours, go]) => ({ ours: raceOf({ resizeMs: ours }), go: raceOf({ resizeMs: go }) }));
    const [section] = findings(resultsOf({ races }));
    const resize = section?.findings.find(({ what }) => what === "resize");
    assert.equal(resize?.ratio, 0.8);
    assert.equal(resize?.bound?.met, true);
  });

  it("calls time that grows faster than the number of resources a miss", () => {
    const pairOf = (count: number, convergeMs: number) => {
      const race = raceOf({ count, convergeMs, cpuCreateS: count / 1000, cpuResizeS: 0 });
      return { ours: race, go: { ...race, convergeMs: convergeMs * 2 } };
    };
    const growthOf = (convergeMs: number) =>
      missed(findings(resultsOf({ races: [pairOf(5000, convergeMs), pairOf(1000, 10_000)] })));
    assert.deepEqual(growthOf(64_000), []);
    assert.deepEqual(growthOf(66_000), ["Growth from 1,000 to 5,000: time to converge, a resource"]);
  });
});
