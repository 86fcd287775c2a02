import assert from "node:assert/strict";
import * as fc from "fast-check";
import { WorkQueue } from "../../../operator/runtime/controller/queue";
import { FakeClock } from "./support/fakeClock";

function setup() {
  const clock = new FakeClock();
  const queue = new WorkQueue({ clock, random: () => 0 });
  const drain = () => {
    const keys: string[] = [];
    for (let key = queue.take(); key !== undefined; key = queue.take()) {
      keys.push(key);
      queue.done(key);
    }
    return keys;
  };
  return { clock, queue, drain };
}

describe("WorkQueue", () => {
  it("holds a key once however often it is added, in the order of first adds", () => {
    const { queue, drain } = setup();
    for (const key of ["a", "b", "a", "c", "b"]) queue.add(key);
    assert.equal(queue.depth(), 3);
    assert.deepEqual(drain(), ["a", "b", "c"]);
  });

  it("never hands out a key that is being worked on, and hands it out once more afterwards if it changed", () => {
    const { queue, drain } = setup();
    queue.add("a");
    assert.equal(queue.take(), "a");
    queue.add("a");
    queue.add("a");
    assert.equal(queue.take(), undefined);
    queue.done("a");
    assert.deepEqual(drain(), ["a"]);
  });

  it("takes the earlier of two delays, and a plain add over both", async () => {
    const { clock, queue, drain } = setup();
    queue.addAfter("a", 5_000);
    queue.addAfter("a", 1_000);
    queue.addAfter("a", 9_000);
    queue.addAfter("b", 9_000);
    queue.add("b");
    assert.deepEqual(drain(), ["b"]);
    await clock.advance(999);
    assert.deepEqual(drain(), []);
    await clock.advance(1);
    assert.deepEqual(drain(), ["a"]);
    await clock.advance(20_000);
    assert.deepEqual(drain(), []);
    assert.equal(clock.pending, 0);
  });

  it("backs a failing key off from 5 ms to 60 s, each on its own, until it is forgotten", () => {
    const { queue } = setup();
    const delays = Array.from({ length: 16 }, () => queue.addRateLimited("a"));
    assert.deepEqual(delays.slice(0, 4), [5, 10, 20, 40]);
    assert.deepEqual(delays.slice(-2), [60_000, 60_000]);
    assert.equal(queue.addRateLimited("b"), 5);
    queue.forget("a");
    assert.equal(queue.addRateLimited("a"), 5);
  });

  it("tries what has failed again when told to, behind the rest and with its record; who asked for a delay keeps it", async () => {
    const { clock, queue, drain } = setup();
    for (let i = 0; i < 12; i++) queue.addRateLimited("failed");
    queue.addAfter("later", 1_000);
    queue.retryFailed();
    queue.add("fresh");
    assert.deepEqual(drain(), ["fresh", "failed"]);
    assert.equal(queue.addRateLimited("failed"), 5 * 2 ** 12);
    await clock.advance(1_000);
    assert.deepEqual(drain(), ["later"]);
  });

  it("DataDog/datadog-operator#2816: serves a fresh change before thousands of first-list keys", () => {
    const { queue } = setup();
    for (let i = 0; i < 6_000; i++) queue.add(`old-${i}`, "low");
    queue.add("fresh");
    assert.equal(queue.take(), "fresh");
  });

  it("raises a waiting first-list key when it changes, without running it twice", () => {
    const { queue, drain } = setup();
    queue.add("a", "low");
    queue.add("b", "low");
    queue.add("b", "high");
    queue.add("b", "low");
    assert.deepEqual([queue.depth("high"), queue.depth("low")], [1, 1]);
    assert.deepEqual(drain(), ["b", "a"]);
    assert.equal(queue.depth(), 0);
  });

  it("kubernetes-sigs/controller-runtime#3496: does not starve first-list keys under constant change", async () => {
    const { clock, queue } = setup();
    for (let i = 0; i < 10; i++) queue.add(`old-${i}`, "low");
    await clock.advance(1_001);
    const taken: string[] = [];
    for (let i = 0; i < 40; i++) {
      queue.add(`fresh-${i}`);
      queue.add(`more-${i}`);
      const key = queue.take();
      if (key === undefined) break;
      taken.push(key);
      queue.done(key);
    }
    assert.equal(taken.filter((key) => key.startsWith("old-")).length, 10);
    assert.ok(taken.slice(0, 3).every((key) => !key.startsWith("old-")));
  });

  it("lets keys that keep failing wait behind fresh ones", async () => {
    const { clock, queue } = setup();
    queue.add("failing");
    for (let i = 0; i < 3; i++) {
      assert.equal(queue.take(), "failing");
      queue.addRateLimited("failing");
      queue.done("failing");
      await clock.advance(100);
    }
    queue.add("fresh");
    assert.equal(queue.take(), "fresh");
    assert.equal(queue.take(), "failing");
  });

  it("drops what waits when it stops, and takes nothing more", async () => {
    const { clock, queue, drain } = setup();
    queue.add("a");
    queue.addAfter("b", 10);
    queue.stop();
    queue.add("c");
    queue.addAfter("d", 10);
    await clock.advance(100);
    assert.deepEqual(drain(), []);
    assert.equal(clock.pending, 0);
  });

  it("loses no change and never runs a key twice at once, whatever happens in whatever order", async () => {
    const key = fc.constantFrom("a", "b", "c", "d");
    const priority = fc.constantFrom("high" as const, "low" as const);
    const step = fc.oneof(
      fc.record({ do: fc.constant("add" as const), key, priority }),
      fc.record({ do: fc.constant("after" as const), key, priority, ms: fc.integer({ min: 1, max: 3_000 }) }),
      fc.record({ do: fc.constant("take" as const) }),
      fc.record({ do: fc.constant("done" as const), index: fc.nat(3) }),
      fc.record({ do: fc.constant("fail" as const), index: fc.nat(3) }),
      fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 2_000 }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const { clock, queue } = setup();
        const working: string[] = [];
        /** Keys with a change that no pass has begun after. */
        const owed = new Set<string>();
        const take = () => {
          const taken = queue.take();
          if (taken === undefined) return false;
          assert.ok(!working.includes(taken), `${taken} is worked on twice`);
          working.push(taken);
          owed.delete(taken);
          return true;
        };
        for (const s of steps) {
          if (s.do === "add") {
            queue.add(s.key, s.priority);
            owed.add(s.key);
          } else if (s.do === "after") {
            queue.addAfter(s.key, s.ms, s.priority);
            owed.add(s.key);
          } else if (s.do === "take") take();
          else if (s.do === "advance") await clock.advance(s.ms);
          else {
            const [finished] = working.splice(s.index, 1);
            if (finished === undefined) continue;
            if (s.do === "fail") {
              queue.addRateLimited(finished);
              owed.add(finished);
            } else queue.forget(finished);
            queue.done(finished);
          }
        }
        for (const left of working.splice(0)) queue.done(left);
        await clock.advance(70_000);
        while (take()) for (const taken of working.splice(0)) queue.done(taken);
        assert.deepEqual([...owed], []);
        assert.equal(queue.depth(), 0);
      }),
      { numRuns: 200 },
    );
  });
});
