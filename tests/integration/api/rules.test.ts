import assert from "node:assert/strict";
import { nameRule, rules } from "../../../api";
import { ruleExamples } from "../../unit/api/ruleExamples";
import { type Server, serverWithCrd } from "./server";

describe("the API server's rules", function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await serverWithCrd()));

  for (const { sentence, refused, allowed } of ruleExamples) {
    it(sentence, async () => {
      const rule = rules.find(({ message }) => message.startsWith(sentence));
      for (const spec of refused) {
        const { code, body } = await server.create("v1", "t", spec);
        const sentences = body.details?.causes?.map(({ message }) => message) ?? [];
        assert.equal(code, 422, JSON.stringify(spec));
        assert.ok(
          sentences.some((said) => said?.endsWith(rule!.message)),
          `${JSON.stringify(spec)} was refused with: ${body.message}`,
        );
      }
      for (const spec of allowed) {
        const { code, body } = await server.create("v1", "t", spec);
        assert.equal(code, 201, `${JSON.stringify(spec)} was refused with: ${body.message}`);
      }
    });
  }

  it("name the field they are about", async () => {
    const { body } = await server.create("v1", "t", { maxItemSize: "33Mi", connections: 32, threads: 5 });
    const fields = body.details?.causes?.map(({ field }) => field).sort();
    assert.deepEqual(fields, ["spec.connections", "spec.maxItemSize"]);
  });

  it(nameRule.message.split(":")[0]!, async () => {
    for (const name of ["1cache", "a.b", "a".repeat(53)]) {
      const { code, body } = await server.create("v1", name, {});
      assert.equal(code, 422, name);
      assert.deepEqual(
        body.details?.causes?.map(({ field, message }) => [field, message?.endsWith(nameRule.message)]),
        [["metadata.name", true]],
      );
    }
    for (const name of ["a", "my-cache-2", "a".repeat(52)]) {
      assert.equal((await server.create("v1", name, {})).code, 201, name);
    }
  });
});
