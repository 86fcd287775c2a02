import assert from "node:assert/strict";
import fc from "fast-check";
import { nameRule, rules, validateSpec } from "../../../api";
import { arbitrarySpec } from "./arbitrarySpec";
import { type Server, serverWithCrd } from "./server";

describe("validateSpec and the API server", function () {
  this.timeout(120_000);
  let server: Server;
  before(async () => (server = await serverWithCrd()));

  it("come to the same verdict on any spec", async () => {
    const verdicts = { taken: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(arbitrarySpec, async (spec) => {
        const { code, body } = await server.create("v1", "t", spec);
        const sentences = validateSpec(spec);
        assert.ok([201, 400, 422].includes(code), body.message);
        assert.equal(
          sentences.length === 0,
          code === 201,
          `validateSpec: ${sentences.join("; ") || "nothing"}\nserver: ${body.message ?? "nothing"}`,
        );
        verdicts[code === 201 ? "taken" : "refused"]++;
      }),
      { numRuns: 1000 },
    );
    assert.ok(verdicts.taken > 100 && verdicts.refused > 100, `a lopsided sample: ${JSON.stringify(verdicts)}`);
  });

  it("say the same about a spec whose types and bounds hold", async () => {
    const known = new Set([nameRule, ...rules].map(({ message }) => message));
    await fc.assert(
      fc.asyncProperty(arbitrarySpec, async (spec) => {
        const sentences = validateSpec(spec);
        fc.pre(sentences.length > 0 && sentences.every((sentence) => known.has(sentence)));
        const { body } = await server.create("v1", "t", spec);
        const said = body.details?.causes?.map(({ message }) => message?.replace(/^Invalid value: "[a-z]+": /, ""));
        assert.deepEqual([...new Set(said)].sort(), [...new Set(sentences)].sort());
      }),
      { numRuns: 300 },
    );
  });
});
