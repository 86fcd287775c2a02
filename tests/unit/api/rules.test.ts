import assert from "node:assert/strict";
import { nameRule, rules, validateName, validateSpec } from "../../../api";
import { ruleExamples } from "./ruleExamples";

describe("rules of the spec", () => {
  for (const { sentence, refused, allowed } of ruleExamples) {
    describe(sentence, () => {
      for (const spec of refused) {
        it(`refuses ${JSON.stringify(spec)} in this sentence`, () => {
          const sentences = validateSpec(spec);
          assert.ok(
            sentences.some((found) => found.startsWith(sentence)),
            `said: ${sentences.join("; ") || "nothing"}`,
          );
        });
      }
      for (const spec of allowed) {
        it(`allows ${JSON.stringify(spec)}`, () => assert.deepEqual(validateSpec(spec), []));
      }
    });
  }

  it("have an example each", () => {
    const untold = rules.filter(({ message }) => !ruleExamples.some(({ sentence }) => message.startsWith(sentence)));
    assert.deepEqual(untold, []);
  });

  it("name the field first, and say what to do after a colon", () => {
    for (const { path, message } of [nameRule, ...rules]) {
      assert.match(message, /^[a-zA-Z[\].]+ .+: .+$/);
      assert.ok(message.startsWith(path.replace(/\[\]\.name$/, "")), message);
    }
  });
});

describe("names", () => {
  for (const name of ["a", "cache", "my-cache-2", "a".repeat(52)]) {
    it(`takes ${name}`, () => assert.deepEqual(validateName(name), []));
  }
  for (const name of ["", "1cache", "-a", "a-", "My", "a.b", "a_b", "a".repeat(53), "a\n"]) {
    it(`refuses ${JSON.stringify(name)}`, () => assert.deepEqual(validateName(name), [nameRule.message]));
  }
});
