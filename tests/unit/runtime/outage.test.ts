import assert from "node:assert/strict";
import { Outage, SharedOutage } from "../../../operator/runtime/outage";
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

describe("SharedOutage", () => {
  const setup = () => {
    const { log, lines } = recordingLog();
    const shared = new SharedOutage(new Outage(log, "Watching namespace team-b"));
    const told = () => lines.map(({ level, cause }) => (level === "warn" ? cause : level));
    return { told, parts: [shared.part(), shared.part(), shared.part()] as const };
  };

  it("is told once for all of its parts, and is over with the last of them", () => {
    const { told, parts } = setup();
    for (let i = 0; i < 5; i++) for (const [n, part] of parts.entries()) part.failed(`kind ${n} is forbidden`);
    assert.deepEqual(
      parts.map(({ reason }) => reason),
      ["kind 0 is forbidden", "kind 1 is forbidden", "kind 2 is forbidden"],
    );
    assert.deepEqual(
      parts.map((part) => part.recovered()),
      [true, true, true],
    );
    assert.deepEqual(told(), ["kind 0 is forbidden", "info"]);
    assert.deepEqual([parts[0].reason, parts[0].recovered()], [undefined, false]);
  });

  it("is told in the words of another part once the one that told it works", () => {
    const { told, parts } = setup();
    const [a, b] = parts;
    a.failed("a");
    b.failed("b");
    a.recovered();
    b.failed("b");
    b.failed("b");
    assert.deepEqual(told(), ["a", "b"]);
    b.recovered();
    assert.deepEqual(told(), ["a", "b", "info"]);
  });
});
