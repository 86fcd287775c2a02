import assert from "node:assert/strict";
import { mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFresh } from "../../../build/freshness";

describe("whether the package is built", () => {
  let dir: string;
  before(() => (dir = mkdtempSync(join(tmpdir(), "freshness-"))));
  after(() => rmSync(dir, { recursive: true }));

  it("goes by the last change of what it is made from", () => {
    const last = join(dir, "last");
    assert.equal(isFresh(last), false, "nothing is built");
    writeFileSync(last, "");
    utimesSync(last, 0, 0);
    assert.equal(isFresh(last), false, "it is older than its sources");
    const soon = Date.now() / 1000 + 60;
    utimesSync(last, soon, soon);
    assert.equal(isFresh(last), true);
  });
});
