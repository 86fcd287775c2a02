import assert from "node:assert/strict";
import { findings, missed } from "../../../bench/bounds";
import { raceOf, resultsOf } from "./results";

describe("bench: bounds", () => {
  it("misses nothing when every figure is within its bound", () => {
    assert.deepEqual(missed(findings(resultsOf(raceOf()))), []);
  });

  it("names each figure that is over its bound", () => {
    const ours = raceOf({ convergeMs: 8_600, rssMiB: 97, restartWrites: 1 });
    assert.deepEqual(missed(findings(resultsOf(ours, 2_001))), [
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
    assert.deepEqual(missed(findings(resultsOf(raceOf({ createRequests })))), [
      "1,000 resources: create: writes of children a resource",
      "1,000 resources: create: status writes a resource",
      "1,000 resources: create: reads a resource",
    ]);
  });

  it("counts a figure that could not be measured as a miss", () => {
    const found = missed(findings(resultsOf(raceOf({ startMs: NaN }))));
    assert.deepEqual(found, ["1,000 resources: exec to first reconcile"]);
  });
});
