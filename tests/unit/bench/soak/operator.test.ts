import assert from "node:assert/strict";
import { problemOf } from "../../../../bench/soak/operator";

const lost =
  '{"level":"error","err":{"type":"LeaderLostError","message":"the lease was taken by \\"b\\""},"msg":"Stopping at once"}';

describe("soak: how a process ends", () => {
  it("excuses what was done to it", () => {
    assert.equal(problemOf("SIGKILL", "SIGKILL", false, ""), undefined);
    assert.equal(problemOf(0, "SIGTERM", false, ""), undefined);
    assert.equal(problemOf(1, "lost lease", false, lost), undefined);
    assert.equal(problemOf(1, undefined, true, lost), undefined);
  });

  it("names an end that nobody caused, with its last words", () => {
    assert.equal(problemOf(1, undefined, false, lost), `ended by itself (1): ${lost}`);
    assert.equal(problemOf(1, "lost lease", true, "oops"), "ended by itself (1): oops");
    assert.equal(problemOf("SIGABRT", "SIGKILL", true, "heap"), "ended by itself (SIGABRT): heap");
    assert.match(problemOf(1, "SIGTERM", false, "") ?? "", /ended with 1 on SIGTERM/);
  });

  it("names a bug in the log of a process that was killed", () => {
    const bug = '{"level":"error","err":{"type":"TypeError","message":"x is undefined"}}';
    assert.equal(problemOf("SIGKILL", "SIGKILL", false, `${bug}\n{}`), `logged a bug: ${bug}`);
  });
});
