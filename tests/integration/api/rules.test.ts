import assert from "node:assert/strict";
import { nameRule, rules, validateSpec } from "../../../api";
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

  it("take ranges of addresses as validateSpec does", async () => {
    const good = [
      "10.0.0.0/8",
      "10.1.2.3/08",
      "010.0.0.0/8",
      "2001:db8::/32",
      "::ffff:10.0.0.1/128",
      "0.0.0.0/0",
      "::/0",
    ];
    const bad = [
      "10.0.0.0",
      "10.0.0.0/33",
      "010.0.0.0/8",
      "::/129",
      "fe80::1%eth0/64",
      "10.0.0.0/-1",
      "a/8",
      "",
      "1/8",
    ];
    for (const range of [...good, ...bad]) {
      const spec = { service: { type: "LoadBalancer", sourceRanges: [range] } };
      const { code, body } = await server.create("v1", "t", spec);
      assert.equal(code, good.includes(range) ? 201 : 422, `${range}: ${body.message}`);
      assert.equal(validateSpec(spec).length, good.includes(range) ? 0 : 1, range);
    }
  });

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
