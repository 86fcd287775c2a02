import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeUnused, touch } from "../../../cluster/unused";

describe("what lies unused in the cache", () => {
  let dir: string;
  beforeEach(() => (dir = mkdtempSync(join(tmpdir(), "unused-"))));
  afterEach(() => rmSync(dir, { recursive: true }));

  it("goes after 30 days, and what was touched since stays", () => {
    for (const name of ["old", "recent", "used"]) {
      mkdirSync(join(dir, name, "bin"), { recursive: true });
      writeFileSync(join(dir, name, "bin", "tool"), "");
      const days = name === "recent" ? 29 : 31;
      const then = new Date(Date.now() - days * 86_400_000);
      utimesSync(join(dir, name), then, then);
    }
    touch([join(dir, "used"), join(dir, "not-there")]);
    assert.deepEqual(removeUnused(dir), ["old"]);
    assert.deepEqual(readdirSync(dir).sort(), ["recent", "used"]);
    assert.deepEqual(removeUnused(join(dir, "not-there")), []);
  });
});
