import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { maxItemSizeBytes, memoryMiB, type MemcachedSpec, validateSpec, withDefaults } from "../../../api";
import { podFailure } from "../../../operator/memcached/status/pods";
import { pod } from "../../unit/memcached/fixtures";
import { anyArgs, catalogue } from "./arbitraryArgs";
import { tryMemcached } from "./memcachedProcess";
import { type MemcachedProgram, memcachedProgram } from "./memcachedProgram";

/** Letters and words of which arguments are made. */
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

describe("a real memcached", function () {
  this.timeout(120_000);
  let openFiles: number;
  let program: MemcachedProgram;
  before(async () => {
    program = await memcachedProgram();
    openFiles = Number(execFileSync("sh", ["-c", "ulimit -Hn"]).toString()) || 1_000_000;
  });
  after(() => program?.remove());

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
    const outcome = await tryMemcached(program, spec);
    assert.ok("settings" in outcome, `it ended: ${"exit" in outcome ? outcome.exit : ""}`);
    isAsAsked(spec, outcome.settings);
  }

  /** It runs as asked, or has ended with words of its own; it never listens and is mute. */
  async function startsAsAskedOrSaysWhy(spec: MemcachedSpec): Promise<"started" | "ended"> {
    const outcome = await tryMemcached(program, spec);
    if ("exit" in outcome) return "ended";
    assert.ok("settings" in outcome, `it listens and answers nobody: ${JSON.stringify(spec)}`);
    isAsAsked(spec, outcome.settings);
    return "started";
  }

  function isAsAsked(spec: MemcachedSpec, settings: ReadonlyMap<string, string>): void {
    const wanted = expected(spec);
    const found = Object.fromEntries(Object.keys(wanted).map((name) => [name, settings.get(name)]));
    assert.deepEqual(found, wanted);
  }

  it("starts with what the API takes, and runs with just that", async () => {
    const spec = fc.record({
      memory: fc.oneof(fc.integer({ min: 8, max: 128 }), fc.integer({ min: 8, max: 2 ** 22 })).map((n) => `${n}Mi`),
      maxItemSize: fc.integer({ min: 1, max: 128 }).map((n) => `${n * 512}Ki`),
      threads: fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 128 })),
      connections: fc.oneof(fc.integer({ min: 32, max: 700 }), fc.integer({ min: 32, max: openFiles })),
      verbosity: fc.integer({ min: 0, max: 2 }),
    });
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        fc.pre(validateSpec(given).length === 0);
        await startsAsAsked(given);
      }),
      {
        numRuns: 200,
        examples: [[{ memory: "8Mi", maxItemSize: "4Mi", threads: 128, connections: 652, verbosity: 0 }]] as [never][],
      },
    );
  });

  it("refuses no combination of memory, item size, connections and threads that the API takes", async () => {
    const spec = fc.record({
      memory: fc.integer({ min: 6, max: 16 }).map((n) => `${n}Mi`),
      maxItemSize: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 0, max: 20 }).map((n) => `${n * 512}Ki`) },
        fc.integer({ min: 0, max: 10_000 }).map((n) => `${n}Ki`),
      ),
      connections: fc.oneof(fc.integer({ min: -1, max: 60 }), fc.integer({ min: 0, max: 700 })),
      threads: fc.oneof(fc.integer({ min: -1, max: 10 }), fc.integer({ min: 0, max: 130 })),
    });
    // One that listens and is mute, as with too few connections, is of no more use than one that ends.
    const counts = { started: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        const outcome = await tryMemcached(program, given);
        const started = "settings" in outcome;
        counts[started ? "started" : "refused"]++;
        const wrong = `taken, and then memcached says: ${"exit" in outcome ? outcome.exit : "nothing"}`;
        assert.ok(started || validateSpec(given).length > 0, wrong);
      }),
      { numRuns: 120 },
    );
    assert.ok(counts.started > 2 && counts.refused > 20, `a lopsided sample: ${JSON.stringify(counts)}`);
  });

  it("memcached/memcached#218, docker-library/memcached#18: says that it may open too few files in words that status explains", async () => {
    const command = ["prlimit", "--nofile=500:500", ...program.command];
    const outcome = await tryMemcached({ ...program, command }, { connections: 1024 });
    const terminated = { exitCode: 71, message: "exit" in outcome ? outcome.exit : "" };
    const failure = podFailure([pod("cache-a", "rs-1", { restartCount: 2, state: { terminated } })]);
    assert.match(
      failure?.message ?? "",
      /failed to set rlimit for open files\..* The node allows .* or lower spec\.connections$/,
    );
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
        const outcome = await tryMemcached(program, given);
        assert.equal("settings" in outcome, validateSpec(given).length === 0, JSON.stringify(given));
      }),
      { numRuns: 40 },
    );
  });

  it("with extraArgs that the API takes keeps what has a field, or says why it ends", async () => {
    const counts = { started: 0, ended: 0 };
    const some = fc.oneof(fc.array(words, { minLength: 1, maxLength: 3 }), anyArgs);
    await fc.assert(
      fc.asyncProperty(some, fc.integer({ min: 1, max: 128 }), async (extraArgs, threads) => {
        const spec = { extraArgs, connections: 700, threads, memory: "32Mi" };
        fc.pre(validateSpec(spec).length === 0);
        counts[await startsAsAskedOrSaysWhy(spec)]++;
      }),
      { numRuns: 150, examples: [[["-o", "read_buf_mem_limit=4,hashpower=16"], 128]] },
    );
    assert.ok(counts.started > 10 && counts.ended > 10, `a lopsided sample: ${JSON.stringify(counts)}`);
  });

  it("is never mute with any one flag or option that the API takes", async () => {
    const taken = catalogue.filter((extraArgs) => validateSpec({ extraArgs }).length === 0);
    for (let i = 0; i < taken.length; i += 4)
      await Promise.all(taken.slice(i, i + 4).map((extraArgs) => startsAsAskedOrSaysWhy({ extraArgs })));
  });
});
