import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { maxItemSizeBytes, memoryMiB, type MemcachedSpec, validateSpec, withDefaults } from "../../../api";
import { podFailure } from "../../../operator/memcached/status/pods";
import { pod } from "../../unit/memcached/fixtures";
import { anyArgs, catalogue, stricter } from "./arbitraryArgs";
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

  const says = (spec: MemcachedSpec, sentence: string) => validateSpec(spec).some((said) => said.includes(sentence));

  async function startsAsAsked(spec: MemcachedSpec): Promise<void> {
    const outcome = await tryMemcached(program, spec);
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
      extraArgs: anyArgs,
    });
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        fc.pre(validateSpec(given).length === 0);
        await startsAsAsked(given);
      }),
      {
        numRuns: 200,
        examples: [
          [{ memory: "8Mi", maxItemSize: "4Mi", threads: 128, connections: 652, verbosity: 0, extraArgs: [] }],
          [{ memory: "8Mi", threads: 128, extraArgs: ["-o", "read_buf_mem_limit=4,hashpower=16"] }],
        ] as [never][],
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
    const counts = { started: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(spec, async (given) => {
        const outcome = await tryMemcached(program, given).catch((mute: Error) => ({ exit: mute.message }));
        const started = "settings" in outcome;
        counts[started ? "started" : "refused"]++;
        const wrong = `taken, and then memcached says: ${"exit" in outcome ? outcome.exit : ""}`;
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

  it("never lets extraArgs that the API takes change what has a field", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(words, { minLength: 1, maxLength: 3 }), async (extraArgs) => {
        const spec = { extraArgs, connections: 100, threads: 2, memory: "32Mi" };
        fc.pre(validateSpec(spec).length === 0);
        await startsAsAsked(spec);
      }),
      { numRuns: 60 },
    );
  });

  it("has no flag and no option in its help that the API does not know", async () => {
    const [command, ...before] = program.command as [string, ...string[]];
    const help = execFileSync(command, [...before, "-h"]).toString();
    const flags = [...help.matchAll(/^-(\w)[ ,]/gm)].map((m) => `-${m[1]!}`);
    const options = [...help.matchAll(/^   - (\w+):/gm)].map((m) => m[1]!);
    assert.ok(flags.length > 30 && options.length > 40, help);
    const unknown = [
      ...flags.filter((flag) => says({ extraArgs: [flag] }, "must hold flags that memcached")),
      ...options.filter((option) => says({ extraArgs: ["-o", option] }, "must be followed by options that memcached")),
    ];
    assert.deepEqual(unknown, []);
  });

  it("starts with every flag and option that the API takes, and refuses those that the API refuses", async () => {
    const wrong: string[] = [];
    for (let i = 0; i < catalogue.length; i += 4)
      await Promise.all(
        catalogue.slice(i, i + 4).map(async (extraArgs) => {
          const text = extraArgs.join(" ");
          const taken = validateSpec({ extraArgs }).length === 0;
          const outcome = await tryMemcached(program, { extraArgs });
          if ("exit" in outcome && taken) wrong.push(`${text} is taken, and then memcached says: ${outcome.exit}`);
          if ("settings" in outcome && !taken && !stricter.includes(text))
            wrong.push(`${text} is refused for no reason`);
        }),
      );
    assert.deepEqual(wrong, []);
  });
});
