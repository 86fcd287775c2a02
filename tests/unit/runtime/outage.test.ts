import assert from "node:assert/strict";
import { Outage } from "../../../operator/runtime/outage";
import { recordingLog } from "./support/log";

describe("Outage", () => {
  it("is told once for each of its causes, and once when it is over", () => {
    const { log, lines } = recordingLog();
    const outage = new Outage(log, "Watching widgets");
    for (let i = 0; i < 50; i++) outage.failed(i % 2 === 0 ? "refused" : "reset");
    for (let i = 0; i < 50; i++) outage.failed(`on port ${i}`);
    assert.equal(outage.reason, "on port 49");
    outage.recovered();
    outage.recovered();
    assert.equal(outage.reason, undefined);
    assert.deepEqual(
      lines.map((line) => [line.level, line.cause]),
      [
        ["warn", "refused"],
        ["warn", "reset"],
        ["warn", "on port 0"],
        ["info", undefined],
      ],
    );
    outage.failed("refused");
    assert.equal(lines.length, 5);
  });
});
