import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import mayImport from "../../../scripts/imports.json";

describe("the table of imports in CONTRIBUTING.md", () => {
  it("is the one that lint holds", () => {
    const text = readFileSync(join(__dirname, "../../../CONTRIBUTING.md"), "utf8");
    const rows = [...text.matchAll(/^\| `([^`]+)`\s*\|[^|]+\| ([^|]+?)\s*\|$/gm)];
    const table = rows.map(([, part, imports]) => [part, [...imports!.matchAll(/`([^`]+)`/g)].map(([, name]) => name)]);
    assert.deepEqual(Object.fromEntries(table), mayImport);
  });
});
