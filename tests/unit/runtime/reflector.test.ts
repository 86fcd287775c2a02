import assert from "node:assert/strict";
import * as fc from "fast-check";
import { settle } from "./support/fakeClock";
import type { Mood } from "./support/modelServer";
import { setup } from "./support/reflectorSetup";

const minute = 60_000;

describe("Reflector", () => {
  it("streams the first list and goes on with the same watch", async () => {
    const { server, store, same, end } = setup();
    server.put("a", 1);
    await settle();
    assert.equal(store.synced, true);
    server.put("b", 2);
    server.delete("a");
    await settle();
    same();
    assert.equal(server.requests.length, 1);
    await end();
  });

  it("pages through the list on a server that cannot stream it", async () => {
    const { server, same, end } = setup();
    server.watchList = "no";
    server.put("a", 1);
    await settle();
    same();
    server.put("b", 1);
    await settle();
    same();
    assert.deepEqual(
      server.requests.map((request) => request.split(" ")[0]),
      ["WATCH", "LIST", "WATCH"],
    );
    await end();
  });

  it("derailed/k9s#4186: lists after 30 s when the end of a streamed list never comes", async () => {
    const { server, clock, store, same, end } = setup();
    server.watchList = "endless";
    server.put("a", 1);
    await clock.advance(29_000);
    assert.equal(store.synced, false);
    await clock.advance(2_000);
    assert.equal(store.synced, true);
    same();
    await end();
  });

  it("lists plainly, and says why it waits, when the server's watch cache is late for a streamed list", async () => {
    const { server, clock, store, reflector, same, end } = setup();
    server.watchList = "late";
    server.put("a", 1);
    await settle();
    assert.match(reflector.reason ?? "", /Too large resource version/);
    await clock.advance(2_000);
    assert.equal(store.synced, true);
    assert.equal(reflector.reason, undefined);
    same();
    assert.deepEqual(
      server.requests.map((request) => request.split(" ")[0]),
      ["WATCH", "LIST", "WATCH"],
    );
    await end();
  });

  it("kubernetes-client/javascript#364: replaces a watch that has been silent for 90 s, without a new list", async () => {
    const { server, clock, ended, same, end } = setup();
    await settle();
    server.silence();
    server.put("missed", 1);
    await clock.advance(95_000);
    same();
    assert.deepEqual(ended, ["listed", "silent"]);
    await end();
  });

  it("keeps a quiet watch open as long as bookmarks come, and resumes from them", async () => {
    const { server, clock, same, end } = setup();
    for (let i = 0; i < 5; i++) {
      await clock.advance(minute);
      server.bookmark();
    }
    await settle();
    assert.equal(server.requests.length, 1);
    server.put("elsewhere", 1);
    server.delete("elsewhere");
    server.bookmark();
    await settle();
    server.compact();
    server.close();
    await settle();
    assert.deepEqual(server.requests.filter((request) => request.includes("sendInitialEvents")).length, 1);
    same();
    await end();
  });

  for (const mood of ["down", "error", "forbidden", "missing"] as Mood[]) {
    it(`kubernetes-client/javascript#447: outlives a server that is ${mood}, says why, logs it once and comes back within 10 s`, async () => {
      const { server, clock, reflector, lines, recovered, same, end } = setup();
      await settle();
      server.mood = mood;
      server.cut();
      server.put("meanwhile", 1);
      await clock.advance(20_000);
      assert.ok(reflector.reason);
      assert.ok(server.requests.length <= 12, `${server.requests.length} requests in 20 s`);
      server.mood = "well";
      await clock.advance(mood === "error" ? 60_000 : 10_000);
      same();
      assert.ok(lines.filter((line) => line.level === "warn").length <= 2);
      await clock.advance(1_000);
      assert.equal(reflector.reason, undefined);
      assert.equal(recovered.length, 1);
      await end();
    });
  }

  it("kubernetes-sigs/controller-runtime#2589: starts by itself once the kind is installed", async () => {
    const { server, clock, store, reflector, same, end } = setup();
    server.mood = "missing";
    await clock.advance(3 * minute);
    assert.equal(store.synced, false);
    assert.match(reflector.reason ?? "", /widgets.example.com: the server could not find .* CRD/);
    assert.ok(server.requests.length < 60, `${server.requests.length} requests in 3 minutes`);
    server.mood = "well";
    server.put("a", 1);
    await clock.advance(10_000);
    same();
    await end();
  });

  it("kubernetes-client/java#1533: lists once for a history that is gone, and only once", async () => {
    const { server, clock, ended, same, end } = setup();
    server.put("a", 1);
    await settle();
    server.mood = "down";
    server.cut();
    server.put("b", 1);
    server.delete("a");
    server.compact();
    await settle();
    server.mood = "well";
    await clock.advance(10_000);
    same();
    assert.equal(ended.filter((why) => why === "listed").length, 2);
    await end();
  });

  it("is back within 10 s of a right that was away for longer than the server's history", async () => {
    const { server, clock, reflector, same, end } = setup();
    await settle();
    server.mood = "forbidden";
    server.cut();
    server.put("meanwhile", 1);
    server.compact();
    await clock.advance(20 * minute);
    server.mood = "well";
    await clock.advance(10_000);
    same();
    assert.equal(reflector.reason, undefined);
    await end();
  });

  it("fabric8io/kubernetes-client#6065: lists once for each of five watches that say 410, ever more slowly, and then goes on", async () => {
    const { server, clock, ended, same, end } = setup();
    server.put("a", 1);
    await settle();
    const lists = () => ended.filter((why) => why === "listed").length;
    server.mood = "expired";
    const at: number[] = [];
    for (let i = 1; i <= 5; i++) {
      server.close();
      for (let ms = 0; lists() === i && ms < 30_000; ms += 100) await clock.advance(100);
      at.push(clock.now());
    }
    server.mood = "well";
    server.put("b", 1);
    server.close();
    await clock.advance(minute);
    same();
    assert.equal(lists(), 6);
    assert.equal(ended.filter((why) => why === "expired").length, 5);
    const pauses = at.map((time, i) => time - (at[i - 1] ?? 0));
    pauses.forEach((ms, i) => assert.ok(ms >= 800 * 2 ** i, `list ${i + 1} after ${ms} ms`));
    await end();
  });

  it("fabric8io/kubernetes-client#7896: backs off from a server that closes every watch at once, and lists anew after five", async () => {
    const { server, clock, ended, same, end } = setup();
    server.put("a", 1);
    await settle();
    server.mood = "empty";
    server.put("b", 1);
    server.close();
    await clock.advance(2 * minute);
    assert.ok(server.requests.length <= 12, `${server.requests.length} requests in 2 minutes`);
    const asked = server.requests.slice(1, 7).map((request) => request.includes("sendInitialEvents"));
    assert.deepEqual(asked, [false, false, false, false, false, true]);
    assert.equal(ended[1], "timeout");
    server.mood = "well";
    await clock.advance(minute);
    same();
    await end();
  });

  it("converges on whatever the server holds after any mixture of changes, failures and own writes", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const step = fc.oneof(
      { weight: 5, arbitrary: fc.record({ do: fc.constant("put" as const), name, value: fc.nat(9) }) },
      { weight: 3, arbitrary: fc.record({ do: fc.constant("own" as const), name, value: fc.nat(9) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("delete" as const), name }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("ownDelete" as const), name }) },
      fc.record({ do: fc.constantFrom("cut" as const, "close", "silence", "compact", "bookmark", "settle") }),
      fc.record({
        do: fc.constant("mood" as const),
        mood: fc.constantFrom<Mood>("well", "down", "empty", "expired", "error", "missing", "forbidden"),
      }),
      fc.record({
        do: fc.constant("list" as const),
        how: fc.constantFrom("yes" as const, "no" as const, "endless" as const),
      }),
      fc.record({ do: fc.constant("advance" as const), ms: fc.integer({ min: 1, max: 2 * minute }) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { server, clock, store, same, end } = setup();
        let passed = 0;
        for (const s of steps) {
          if (s.do === "put") server.put(s.name, s.value);
          else if (s.do === "own") store.observe(server.put(s.name, s.value));
          else if (s.do === "delete") server.delete(s.name);
          else if (s.do === "ownDelete") {
            const gone = server.delete(s.name);
            if (gone) store.observeDeleted({ namespace: "ns", name: s.name }, gone.metadata.uid);
          } else if (s.do === "mood") {
            server.mood = s.mood;
            if (s.mood !== "well") server.cut();
          } else if (s.do === "list") server.watchList = s.how;
          else if (s.do === "advance") {
            passed += s.ms;
            await clock.advance(s.ms);
          } else if (s.do === "settle") await settle();
          else server[s.do]();
        }
        server.mood = "well";
        await clock.advance(4 * minute);
        passed += 4 * minute;
        same();
        const bound = 20 + 4 * steps.length + passed / 1_500;
        assert.ok(server.requests.length <= bound, `${server.requests.length} requests in ${passed / 1000} s`);
        await end();
      }),
      { numRuns: 400 },
    );
  });
});
