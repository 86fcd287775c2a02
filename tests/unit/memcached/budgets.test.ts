import assert from "node:assert/strict";
import { selects } from "../../../operator/memcached/budgets";

const pod = { app: "shop", tier: "cache" };

describe("the selector of a PodDisruptionBudget", () => {
  const expression = (operator: string, key: string, values?: string[]) => ({
    matchExpressions: [{ key, operator, values }],
  });
  for (const [what, selector, expected] of [
    ["none", undefined, false],
    ["an empty one", {}, true],
    ["labels of the pod", { matchLabels: { app: "shop" } }, true],
    ["another value", { matchLabels: { app: "shop", tier: "web" } }, false],
    ["In with the value", expression("In", "tier", ["web", "cache"]), true],
    ["In without the value", expression("In", "tier", ["web"]), false],
    ["In of a key that the pod lacks", expression("In", "zone", ["a"]), false],
    ["NotIn with the value", expression("NotIn", "tier", ["cache"]), false],
    ["NotIn of a key that the pod lacks", expression("NotIn", "zone", ["a"]), true],
    ["Exists", expression("Exists", "tier"), true],
    ["Exists of a key that the pod lacks", expression("Exists", "zone"), false],
    ["DoesNotExist", expression("DoesNotExist", "tier"), false],
    ["DoesNotExist of a key that the pod lacks", expression("DoesNotExist", "zone"), true],
  ] as const)
    it(`${expected ? "selects" : "does not select"} by ${what}`, () => {
      assert.equal(selects(selector as Parameters<typeof selects>[0], pod), expected);
    });
});
