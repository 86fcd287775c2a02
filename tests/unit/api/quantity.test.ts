import assert from "node:assert/strict";
import fc from "fast-check";
import { maxItemSizeBytes, memoryMiB, parseQuantity } from "../../../api";

const units: [string, number][] = [
  ["", 1],
  ["k", 1e3],
  ["M", 1e6],
  ["G", 1e9],
  ["T", 1e12],
  ["Ki", 1024],
  ["Mi", 1024 ** 2],
  ["Gi", 1024 ** 3],
  ["Ti", 1024 ** 4],
];

describe("quantities", () => {
  const known: [string | number, number][] = [
    ["64Mi", 67108864],
    ["1.5Gi", 1610612736],
    ["100m", 0.1],
    ["1e3", 1000],
    ["1E3", 1000],
    ["1E", 1e18],
    ["1e-3", 0.001],
    ["250u", 0.00025],
    ["-2Ki", -2048],
    ["+.5", 0.5],
    ["5.", 5],
    ["0.1n", 1e-9],
    [2, 2],
  ];
  for (const [text, value] of known) it(`reads ${text} as ${value}`, () => assert.equal(parseQuantity(text), value));

  for (const text of ["", ".", "Mi", "1 Mi", "1MiB", "1mi", "0x10", "1.2.3", "1ki", "1ni", "--1", "1e", "NaN"]) {
    it(`refuses ${JSON.stringify(text)}`, () => assert.throws(() => parseQuantity(text), /is not a quantity; write/));
  }

  it("reads a whole number of any unit as that many of it", () => {
    fc.assert(
      fc.property(fc.nat(1000), fc.constantFrom(...units), (count, [suffix, size]) => {
        assert.equal(parseQuantity(`${count}${suffix}`), count * size);
      }),
    );
  });

  it("reads the same amount from every way to write it", () => {
    fc.assert(
      fc.property(fc.nat(100_000), (mebibytes) => {
        assert.equal(parseQuantity(`${mebibytes * 1024}Ki`), parseQuantity(`${mebibytes}Mi`));
        assert.equal(parseQuantity(`${mebibytes * 1024 ** 2}`), parseQuantity(`${mebibytes}.0Mi`));
      }),
    );
  });

  it("gives memcached its numbers, defaults filled in", () => {
    assert.equal(memoryMiB({}), 64);
    assert.equal(memoryMiB({ memory: "1.5Gi" }), 1536);
    assert.equal(maxItemSizeBytes({}), 1048576);
    assert.equal(maxItemSizeBytes({ maxItemSize: "1.5Mi" }), 1572864);
  });
});
