import assert from "node:assert/strict";
import { problemOf } from "../../../../bench/soak/operator";

const lost =
  '{"level":"error","err":{"type":"LeaderLostError","message":"the lease was taken by \\"b\\""},"msg":"Stopping at once"}';

describe("soak: how a process ends", () => {
  it("excuses what was done to it", () => {
    assert.equal(problemOf({ code: null, signal: "SIGKILL" }, "SIGKILL", false, ""), undefined);
    assert.equal(problemOf({ code: 0, signal: null }, "SIGTERM", false, ""), undefined);
    assert.equal(problemOf({ code: 1, signal: null }, "lost lease", false, lost), undefined);
    assert.equal(problemOf({ code: 1, signal: null }, undefined, true, lost), undefined);
  });

  it("names an end that nobody caused, with its last words", () => {
    assert.equal(problemOf({ code: 1, signal: null }, undefined, false, lost), `ended by itself (1): ${lost}`);
    assert.equal(problemOf({ code: 1, signal: null }, "lost lease", true, "oops"), "ended by itself (1): oops");
    assert.equal(
      problemOf({ code: null, signal: "SIGABRT" }, "SIGKILL", true, "heap"),
      "ended by itself (SIGABRT): heap",
    );
    assert.match(problemOf({ code: 1, signal: null }, "SIGTERM", false, "") ?? "", /ended with 1 on SIGTERM/);
  });

  it("names a bug in the log of a process that was killed", () => {
    const bug = '{"level":"error","err":{"type":"TypeError","message":"x is undefined"}}';
    assert.equal(problemOf({ code: null, signal: "SIGKILL" }, "SIGKILL", false, `${bug}\n{}`), `logged a bug: ${bug}`);
  });
});
