import assert from "node:assert/strict";
import { Checks } from "../../../operator/runtime/servers/health";

describe("Checks", () => {
  it("tells what each check misses, can be asked for one, and can leave some out", () => {
    const checks = new Checks();
    checks.add("ping", () => undefined);
    checks.add("caches", () => "memcacheds: forbidden");
    assert.deepEqual(
      [...(checks.run() ?? [])],
      [
        ["ping", undefined],
        ["caches", "memcacheds: forbidden"],
      ],
    );
    assert.deepEqual([...(checks.run("ping") ?? [])], [["ping", undefined]]);
    assert.deepEqual([...(checks.run(undefined, ["caches"]) ?? [])], [["ping", undefined]]);
    assert.equal(checks.run("nothing"), undefined);
  });
});
