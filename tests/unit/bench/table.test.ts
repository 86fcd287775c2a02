import assert from "node:assert/strict";
import { findings } from "../../../bench/bounds";
import { numberText, sectionTable } from "../../../bench/table";
import { raceOf, resultsOf } from "./results";

describe("bench: table", () => {
  it("shows both sides, the ratio and whether the bound is met", () => {
    const text = findings(resultsOf(raceOf({ convergeMs: 12_300 })))
      .map(sectionTable)
      .join("\n");
    assert.ok(text.includes("| converge | 12.3 s | 10.0 s | 1.23 | ≤ ratio 0.85 MISSED |"), text);
  });

  it("gives as many digits as a figure deserves", () => {
    const shown = [
      numberText(3.14159),
      numberText(2),
      numberText(123.4, "MiB"),
      numberText(0.051, "s"),
      numberText(NaN),
    ];
    assert.deepEqual(shown, ["3.14", "2", "123 MiB", "0.05 s", "–"]);
  });
});
