import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { maxItemSizeBytes, memoryMiB, type MemcachedSpec, validateSpec, withDefaults } from "../../../api";
import { ensurePrograms } from "../../../cluster/debian";
import { tryMemcached } from "./memcachedProcess";

/** Letters and words of which arguments are made; those that speak another protocol could not be asked afterwards. */
const letters = fc.constantFrom(..."AMkrLCFXWpmctIvduhilsVDnRbofU1= ");
const words = fc.oneof(
  fc.string({ unit: letters, minLength: 1, maxLength: 4 }).map((text) => `-${text}`),
  fc.constantFrom(
    ..."modern 100 1.5 - -- -o -D -b -R idle_timeout=9 --disable-cas --enable-shutdown --por=1".split(" "),
  ),
  fc.constantFrom(
    ..."--memory-limit=9 --thr=1 --m=1 --conn 40 --max-item=2m --verbos --listen-backlog=9 --c".split(" "),
  ),
);

/** Options that are right whatever the fields and the other options are. */
const rightOptions = [
  ..."-A -M -C -F -X -W --disable-flush-all".split(" ").map((flag) => [flag]),
  ..."-f 1.05,-f 2,-n 1,-n 48,-n 4096,-R 1,-R 100,-b 1,-b 4096,-B ascii,-D :,-a 700"
    .split(",")
    .map((a) => a.split(" ")),
  ...[
    ..."modern maxconns_fast no_maxconns_fast hashpower=20 hash_algorithm=xxh3 tail_repair_time=20".split(" "),
    ..."no_lru_crawler lru_crawler_sleep=100 no_lru_maintainer hot_lru_pct=20 warm_lru_pct=40".split(" "),
    ..."hot_max_factor=0.5 temporary_ttl=61 idle_timeout=60 slab_automove=2 slab_automove_window=30".split(" "),
    ..."worker_logbuf_size=128 no_hashexpand track_sizes slab_sizes=100-200-300".split(" "),
    "hot_lru_pct=30,warm_lru_pct=30,idle_timeout=9",
  ].map((option) => ["-o", option]),
];

describe("a real memcached", function () {
  this.timeout(120_000);
  let openFiles: number;
  before(async () => {
    await ensurePrograms([{ name: "memcached", package: "memcached" }]);
    openFiles = Number(execFileSync("sh", ["-c", "ulimit -Hn"]).toString()) || 1_000_000;
  });

  const expected = (spec: MemcachedSpec): Record<string, string> => {
    const { connections, threads, verbosity } = withDefaults(spec);
    const numbers = { maxconns: connections, num_threads: threads, verbosity, item_size_max: maxItemSizeBytes(spec) };
    return Object.fromEntries(
      Object.entries({ ...numbers, maxbytes: memoryMiB(spec) * 1024 ** 2 }).map(([name, value]) => [
        name,
        String(value),
      ]),
    );
  };

  async function startsAsAsked(spec: MemcachedSpec): Promise<void> {
    const outcome = await tryMemcached(spec);
    assert.ok("settings" in outcome, `it ended: ${"exit" in outcome ? outcome.exit : ""}`);
    const wanted = expected(spec);
    const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, outcome.settings.get(name)]));
    assert.deepEqual(found, wanted);
  }

  it("starts with what the API takes, and runs with just that", async () => {
    const spec = fc.record({
      memory: fc.oneof(fc.integer({ min: 8, max: 128 }), fc.integer({ min: 8, max: 2 ** 22 })).map((n) => `${n}Mi`),
      maxItemSize: fc.integer({ min: 1, max: 128 }).map((n) => `${n * 512}Ki`),
      threads: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 128 })),
      connections: fc.oneof(fc.integer({ min: 32, max: 700 }), fc.integer({ min: 32, max: openFiles })),
      verbosity: fc.integer({ min: 0, max: 2 }),
      extraArgs: fc.uniqueArray(fc.constantFrom(...rightOptions), { maxLength: 3 }).map((options) => options.flat()),
    });
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        fc.pre(validateSpec(given).length === 0);
        await startsAsAsked(given);
      }),
      {
        numRuns: 60,
        examples: [
          [{ memory: "8Mi", maxItemSize: "4Mi", threads: 128, connections: 652, verbosity: 0, extraArgs: [] }],
          ...rightOptions.map((extraArgs): [MemcachedSpec] => [{ memory: "8Mi", extraArgs }]),
        ] as [never][],
      },
    );
  });

  it("refuses no combination of memory, item size, connections and threads that the API takes", async () => {
    const spec = fc.record({
      memory: fc.integer({ min: 0, max: 16 }).map((n) => `${n}Mi`),
      maxItemSize: fc.oneof(
        fc.integer({ min: 0, max: 20 }).map((n) => `${n * 512}Ki`),
        fc.integer({ min: 0, max: 10_000 }).map((n) => `${n}Ki`),
      ),
      connections: fc.oneof(fc.integer({ min: -1, max: 60 }), fc.integer({ min: 0, max: 700 })),
      threads: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.integer({ min: 0, max: 130 })),
    });
    const counts = { started: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        const outcome = await tryMemcached(given);
        const started = "settings" in outcome;
        counts[started ? "started" : "refused"]++;
        const wrong = `taken, and then memcached says: ${"exit" in outcome ? outcome.exit : ""}`;
        assert.ok(started || validateSpec(given).length > 0, wrong);
      }),
      { numRuns: 120 },
    );
    assert.ok(counts.started > 5 && counts.refused > 20, `a lopsided sample: ${JSON.stringify(counts)}`);
  });

  it("refuses the item sizes that the API refuses, and takes those it takes", async () => {
    const spec = fc.record({
      memory: fc.integer({ min: 8, max: 64 }).map((n) => `${n}Mi`),
      maxItemSize: fc.oneof(
        fc.integer({ min: 1, max: 80 }).map((n) => `${n * 512}Ki`),
        fc.integer({ min: 1, max: 40_000 }).map((n) => `${n}Ki`),
      ),
    });
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        const outcome = await tryMemcached(given);
        assert.equal("settings" in outcome, validateSpec(given).length === 0, JSON.stringify(given));
      }),
      { numRuns: 40 },
    );
  });

  it("never lets extraArgs that the API takes change what has a field", async () => {
    const counts = { ran: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), async (extraArgs) => {
        const spec = { extraArgs, connections: 100, threads: 2, memory: "32Mi" };
        fc.pre(validateSpec(spec).length === 0);
        const outcome = await tryMemcached(spec);
        if ("exit" in outcome) return;
        counts.ran++;
        const wanted = expected(spec);
        const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, outcome.settings.get(name)]));
        assert.deepEqual(found, wanted);
      }),
      { numRuns: 100 },
    );
    assert.ok(counts.ran > 20, `only ${counts.ran} of 100 started`);
  });
});
