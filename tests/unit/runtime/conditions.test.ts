import assert from "node:assert/strict";
import { findCondition, setCondition } from "../../../operator/runtime";
import type { Condition, NewCondition } from "../../../operator/runtime";
import { microTimestamp } from "../../../operator/runtime/conditions";

describe("setCondition", () => {
  const same: NewCondition = { type: "Ready", status: "False", reason: "Starting", message: "", observedGeneration: 1 };
  const ready: Condition = { ...same, lastTransitionTime: "2024-01-01T00:00:00Z" };
  const now = new Date("2024-05-05T05:05:05.678Z");

  it("knative/serving#1181: keeps lastTransitionTime until the status flips", () => {
    const [renamed] = setCondition([ready], { ...same, reason: "Waiting", observedGeneration: 2 }, now);
    assert.equal(renamed?.lastTransitionTime, ready.lastTransitionTime);
    assert.equal(renamed?.observedGeneration, 2);
    const [flipped] = setCondition([ready], { ...same, status: "True" }, now);
    assert.equal(flipped?.lastTransitionTime, "2024-05-05T05:05:05Z");
  });

  it("gives back the very same list when nothing changes", () => {
    const list = [ready];
    assert.equal(setCondition(list, same, now), list);
  });

  it("leaves the conditions of others and the order alone", () => {
    const other = { ...ready, type: "Custom" };
    const list = setCondition([other, ready], { ...same, type: "Available" }, now);
    assert.deepEqual(
      list.map((condition) => condition.type),
      ["Custom", "Ready", "Available"],
    );
    assert.equal(list[0], other);
    assert.equal(findCondition(list, "Ready"), ready);
  });

  it("cuts a message at what the API server takes, and does so every time alike", () => {
    const long = { ...same, message: "x".repeat(40_000) };
    const first = setCondition([ready], long, now);
    assert.equal(first[0]?.message.length, 32_768);
    assert.equal(setCondition(first, long, now), first);
  });

  it("writes MicroTime with six digits", () => {
    assert.equal(microTimestamp(now), "2024-05-05T05:05:05.678000Z");
  });
});
