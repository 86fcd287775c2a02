import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The rows of its tables of arguments: name, type, whether required, example, meaning. */
const page = readFileSync(join(__dirname, "..", "..", "..", "docs", "api.md"), "utf8");
const rows = page
  .split("\n")
  .filter((line) => /^\| `\w+` \|/.test(line))
  .map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()))
  .filter((cells) => cells.length === 7)
  .map(([, name = "", type = "", , example = "", meaning = ""]) => ({ name, type, example, meaning }));

describe("docs/api.md", () => {
  it("has an example of every argument, or of each field of what the argument holds", () => {
    assert.ok(rows.length > 60, `only ${rows.length} arguments`);
    const isDescribed = (type: string) => page.includes(`## ${/^`Input<(\w+Args)>`$/.exec(type)?.[1]}\n`);
    const without = rows.filter(({ example, type }) => !example && !isDescribed(type));
    assert.deepEqual(
      without.map(({ name }) => name),
      [],
    );
  });

  it("says what every argument means", () => {
    for (const { name, meaning } of rows) assert.ok(meaning.length > 10, `${name}: "${meaning}"`);
  });
});
