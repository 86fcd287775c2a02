import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeStaleLocks } from "../../../scripts/stack/staleLocks";

describe("locks that an interrupted Pulumi left", () => {
  let backend: string;
  beforeEach(() => (backend = mkdtempSync(join(tmpdir(), "locks-"))));
  afterEach(() => rmSync(backend, { recursive: true }));

  it("are none where there is no state yet", () => removeStaleLocks(join(backend, "none")));

  it("are removed when their process is gone, or its number is another's", async () => {
    const dir = join(backend, ".pulumi", "locks", "organization", "memcached", "embedded");
    mkdirSync(dir, { recursive: true });
    const files = [2 ** 22 + 1, 1].map((pid) => {
      const file = join(dir, `${pid}.json`);
      writeFileSync(file, JSON.stringify({ pid, username: "root", hostname: "h" }));
      return file;
    });
    await removeStaleLocks(backend);
    assert.deepEqual(files.filter(existsSync), []);
  });
});
