import assert from "node:assert/strict";
import * as fc from "fast-check";
import { LineSplitter } from "../../../operator/runtime/cache/lines";

describe("LineSplitter", () => {
  it("gives the same lines however the bytes are cut, also inside a character", () => {
    const line = fc.string({ unit: "grapheme", minLength: 1 }).filter((text) => !text.includes("\n"));
    fc.assert(
      fc.property(fc.array(line), fc.array(fc.nat(40), { minLength: 1 }), (expected, sizes) => {
        const bytes = Buffer.from(expected.map((text) => `${text}\n`).join(""));
        const splitter = new LineSplitter();
        const got: string[] = [];
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const size = (sizes[i % sizes.length] ?? 0) + 1;
          got.push(...splitter.push(bytes.subarray(at, at + size)));
          at += size;
        }
        assert.deepEqual(got, expected);
      }),
    );
  });

  it("keeps an unfinished last line to itself", () => {
    assert.deepEqual([...new LineSplitter().push(Buffer.from('{"a":1}\n\n{"b":'))], ['{"a":1}']);
  });
});
