import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { maxItemSizeBytes, type Memcached, type MemcachedSpec } from "../../../api";
import { repositoryRoot } from "../../../cluster/paths";
import { store, withMemcached } from "./memcachedProcess";
import { type MemcachedProgram, memcachedProgram } from "./memcachedProgram";

/** What memcached keeps in an item beside its value. */
const header = 512;
const rounds = 6;

describe("memcached/memcached#793, #672: the largest items", function () {
  this.timeout(120_000);
  let program: MemcachedProgram;
  before(async () => (program = await memcachedProgram()));
  after(() => program?.remove());

  /** The answers to so many writers, in rounds: in each, nobody's value ends before everybody's is under way. */
  const answers = (spec: MemcachedSpec, writers: number): Promise<string[]> =>
    withMemcached(program, spec, async (outcome, port) => {
      assert.ok("settings" in outcome, `it ended: ${"exit" in outcome ? outcome.exit : ""}`);
      const all: string[] = [];
      for (let round = 0; round < rounds; round++) {
        let left = writers;
        let go = (): void => undefined;
        const together = new Promise<void>((resolve) => (go = resolve));
        const isTime = () => {
          if (--left === 0) go();
          return together;
        };
        const bytes = maxItemSizeBytes(spec) - header;
        const keys = Array.from({ length: writers }, (_, i) => `${round}-${i}`);
        all.push(...(await Promise.all(keys.map((key) => store(port, key, bytes, isTime)))));
      }
      return all;
    });

  for (const [memory, maxItemSize, writers] of [
    ["80Mi", "16Mi", 4],
    ["36Mi", "4Mi", 8],
    ["96Mi", "32Mi", 2],
  ] as const)
    it(`are stored with ${memory} for ${maxItemSize}, one more than the ${writers} that are written at once`, async () =>
      assert.deepEqual(new Set(await answers({ memory, maxItemSize }, writers)), new Set(["STORED"])));

  it("are stored from many writers by the sample for them", async () => {
    const file = join(repositoryRoot, "deploy/samples/cache_v1_memcached_large_items.yaml");
    const { spec = {} } = parse(readFileSync(file, "utf8")) as Memcached;
    assert.deepEqual(new Set(await answers(spec, 16)), new Set(["STORED"]));
  });

  it("are refused in these words where memory has no place for those that are written at once", async () =>
    assert.ok(
      (await answers({ memory: "64Mi", maxItemSize: "32Mi" }, 4)).includes("SERVER_ERROR Out of memory during read"),
    ));
});
