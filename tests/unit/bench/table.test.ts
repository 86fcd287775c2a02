import assert from "node:assert/strict";
import { findings } from "../../../bench/bounds";
import { markdownTable, numberText, textTable } from "../../../bench/table";
import { raceOf, resultsOf } from "./results";

const sections = findings(resultsOf({ races: [{ ours: raceOf({ convergeMs: 12_300 }), go: raceOf() }] }));

describe("bench: table", () => {
  it("shows both sides, the ratio and whether the bound is met", () => {
    const line = textTable(sections)
      .split("\n")
      .find((text) => text.startsWith("converge"));
    assert.deepEqual(line?.split(/ {2,}/), ["converge", "12.3 s", "8000 ms", "1.54", "≤ ratio 0.85 MISSED"]);
  });

  it("says the same as Markdown", () => {
    const text = sections.map(markdownTable).join("\n");
    assert.ok(text.includes("| converge | 12.3 s | 8000 ms | 1.54 | ≤ ratio 0.85 MISSED |"), text);
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
