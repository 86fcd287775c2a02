import assert from "node:assert/strict";
import { Random } from "../../../bench/random";

describe("soak: random choices", () => {
  const row = (random: Random) => Array.from({ length: 20 }, () => random.between(0, 1000));

  it("are the same for the same seed, and others for another", () => {
    assert.deepEqual(row(new Random(7)), row(new Random(7)));
    assert.notDeepEqual(row(new Random(7)), row(new Random(8)));
  });

  it("do not depend on how many choices a fork makes", () => {
    const [first, second] = [new Random(7), new Random(7)];
    row(first.fork());
    second.fork();
    assert.deepEqual(row(first), row(second));
  });

  it("stay within their bounds, and follow the weights", () => {
    const random = new Random(1);
    assert.ok(row(random).every((value) => value >= 0 && value <= 1000));
    const items = [{ weight: 0 }, { weight: 3 }, { weight: 1 }];
    const picked = Array.from({ length: 4000 }, () => items.indexOf(random.weighted(items)));
    assert.ok(!picked.includes(0));
    const share = picked.filter((index) => index === 1).length / picked.length;
    assert.ok(share > 0.7 && share < 0.8, String(share));
  });
});
