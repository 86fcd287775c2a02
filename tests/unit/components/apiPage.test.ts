import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The rows of its tables of arguments: name, type, whether required, example, meaning. */
const rows = readFileSync(join(__dirname, "..", "..", "..", "docs", "api.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| `\w+` \|/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells.length === 7)
  .map(([, name = "", type = "", , example = "", meaning = ""]) => ({ name, type, example, meaning }));

describe("docs/api.md", () => {
  it("has an example of every argument, or of each field of what the argument holds", () => {
    assert.ok(rows.length > 60, `only ${rows.length} arguments`);
    const without = rows.filter(({ example }) => !example);
    assert.deepEqual(
      without.filter(({ type }) => !/^`Input<(Resources|Rollout|Service)Args>`$/.test(type)).map(({ name }) => name),
      [],
    );
  });

  it("says what every argument means", () => {
    for (const { name, meaning } of rows) assert.ok(meaning.length > 10, `${name}: "${meaning}"`);
  });
});
