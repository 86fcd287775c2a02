import assert from "node:assert/strict";
import { labelSelector } from "../../../operator/runtime/cache/selector";

describe("labelSelector", () => {
  const labels = { app: "web", tier: "front" };
  const cases: [string, boolean][] = [
    ["", true],
    ["app=web", true],
    ["app=web,tier=front", true],
    ["app=web,tier=back", false],
    ["example.com/role=a,app=web", false],
  ];
  for (const [text, expected] of cases) {
    it(`"${text}" ${expected ? "selects" : "leaves out"} app=web,tier=front`, () => {
      assert.equal(labelSelector(text)(labels), expected);
    });
  }

  it("treats an object without labels as one with none", () => {
    assert.equal(labelSelector("app=web")(undefined), false);
  });

  it("names the part it cannot read", () => {
    for (const part of ["a b c", "app!=api", "app in (web)", "app"])
      assert.throws(
        () => labelSelector(`tier=front,${part}`),
        new RegExp(`cannot read "${part.replace(/[()]/g, "\\$&")}"`),
      );
  });
});
