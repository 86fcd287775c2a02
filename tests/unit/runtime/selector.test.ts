import assert from "node:assert/strict";
import { labelSelector } from "../../../operator/runtime/cache/selector";

describe("labelSelector", () => {
  const labels = { app: "web", tier: "front" };
  const cases: [string, boolean][] = [
    ["", true],
    ["app=web", true],
    ["app==web,tier=front", true],
    ["app=web,tier=back", false],
    ["app!=api", true],
    ["other!=x", true],
    ["app in (api, web)", true],
    ["app notin (api,web)", false],
    ["other notin (x)", true],
    ["app", true],
    ["!app", false],
    ["!other", true],
    ["example.com/role in (a),app", false],
  ];
  for (const [text, expected] of cases) {
    it(`"${text}" ${expected ? "selects" : "leaves out"} app=web,tier=front`, () => {
      assert.equal(labelSelector(text)(labels), expected);
    });
  }

  it("treats an object without labels as one with none", () => {
    assert.equal(labelSelector("app=web")(undefined), false);
    assert.equal(labelSelector("!app")(undefined), true);
  });

  it("names the part it cannot read", () => {
    assert.throws(() => labelSelector("app=web,a b c"), /cannot read "a b c"/);
  });
});
