import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { ApiError, TransportError } from "../../../operator/runtime";
import type { Refusal } from "../../../operator/runtime/servers/metrics";
import { authorizer, bearerToken } from "../../../operator/runtime/servers/secure/authorize";
import { BusyError, Reviews } from "../../../operator/runtime/servers/secure/reviews";
import { LruExpireCache } from "../../../operator/runtime/servers/secure/lruExpireCache";
import { FakeClock } from "./support/fakeClock";
import { recordingLog } from "./support/log";

const request = (authorization?: string) => ({ headers: { authorization } }) as IncomingMessage;
const alice = { username: "alice", groups: ["people"] };

describe("the bearer token of a request", () => {
  for (const [header, token] of [
    [undefined, undefined],
    ["", undefined],
    ["Bearer", undefined],
    ["Bearer ", undefined],
    ["Basic YTpi", undefined],
    ["Bearer a b", undefined],
    ["Bearer a\u00e9", undefined],
    ["Bearerabc", undefined],
    ["Bearer abc.def-_~+/=", "abc.def-_~+/="],
    ["bEARER   abc ", "abc"],
  ] as const)
    it(`is ${token} in ${JSON.stringify(header)}`, () => assert.equal(bearerToken(header), token));
});

describe("LruExpireCache", () => {
  const setup = (limit = 3) => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const cache = new LruExpireCache<boolean>({ limit, ttlMs: (good) => (good ? 1_000 : 100), clock });
    const get = (key: string, answer = true) =>
      cache.get(key, () => {
        asked.push(key);
        return Promise.resolve(answer);
      });
    return { clock, asked, cache, get };
  };

  it("keeps answers for their time, good ones longer than bad ones", async () => {
    const { clock, asked, get } = setup();
    await get("good");
    assert.equal(await get("bad", false), false);
    await clock.advance(99);
    assert.equal(await get("bad"), false);
    await clock.advance(1);
    assert.equal(await get("bad"), true);
    await get("good");
    assert.deepEqual(asked, ["good", "bad", "bad"]);
    await clock.advance(900);
    await get("good");
    assert.deepEqual(asked, ["good", "bad", "bad", "good"]);
  });

  it("is bounded in number; the one unused for longest goes", async () => {
    const { asked, get } = setup(3);
    for (const key of ["a", "b", "c", "a", "d"]) await get(key);
    await get("a");
    await get("b");
    assert.deepEqual(asked, ["a", "b", "c", "d", "b"]);
  });

  it("asks once for many at a time, and keeps no failure", async () => {
    const { cache, get, asked } = setup();
    const failing = () => cache.get("a", () => Promise.reject(new Error("down")));
    const [one, two] = await Promise.allSettled([failing(), get("a")]);
    assert.deepEqual([one?.status, two?.status], ["rejected", "rejected"]);
    assert.deepEqual(asked, []);
    assert.equal(await get("a"), true);
  });
});

describe("reviews", () => {
  type Call = { path: string; body?: string };
  const setup = (answer: (call: Call) => unknown) => {
    const calls: { path: string; spec: object }[] = [];
    const clock = new FakeClock();
    const json = (call: Call) => {
      calls.push({ path: call.path, spec: (JSON.parse(call.body ?? "{}") as { spec: object }).spec });
      return Promise.resolve().then(() => answer(call));
    };
    const { log, lines } = recordingLog();
    return { calls, clock, lines, reviews: new Reviews({ json }, log, clock) };
  };

  it("ask who a token is and what it may do, in the API server's words, and remember both", async () => {
    const { reviews, calls, clock } = setup(({ path }) => ({
      status: path.includes("tokenreviews") ? { authenticated: true, user: alice } : { allowed: true },
    }));
    for (let n = 0; n < 3; n++) {
      const user = await reviews.user("secret");
      assert.deepEqual(user, alice);
      assert.equal(await reviews.allowed(alice, "get", "/metrics"), true);
    }
    assert.deepEqual(calls, [
      { path: "/apis/authentication.k8s.io/v1/tokenreviews", spec: { token: "secret" } },
      {
        path: "/apis/authorization.k8s.io/v1/subjectaccessreviews",
        spec: { user: "alice", groups: ["people"], nonResourceAttributes: { verb: "get", path: "/metrics" } },
      },
    ]);
    await clock.advance(60_000);
    await reviews.user("secret");
    await reviews.allowed(alice, "get", "/metrics");
    assert.equal(calls.length, 3, "the token is asked about again after a minute, the right after five");
  });

  it("tell users apart by all that rights may hang on", async () => {
    const { reviews, calls } = setup(() => ({ status: { allowed: true } }));
    const users = [alice, { ...alice, groups: [] }, { ...alice, uid: "1" }, { ...alice, extra: { a: ["b"] } }];
    for (const user of users) await reviews.allowed(user, "get", "/metrics");
    assert.equal(calls.length, users.length);
  });

  it("take what is denied or unanswered for a no", async () => {
    for (const status of [undefined, {}, { allowed: false }, { allowed: true, denied: true }]) {
      const { reviews } = setup(() => ({ status }));
      assert.equal(await reviews.allowed(alice, "get", "/metrics"), false);
      assert.equal(await reviews.user("t"), undefined);
    }
  });

  it("are refused when too many are under way", async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    const { reviews, calls } = setup(() => held.then(() => ({ status: { authenticated: true } })));
    const asking = Array.from({ length: 64 }, (_, n) => reviews.user(`token-${n}`));
    await assert.rejects(reviews.user("one more"), BusyError);
    const same = reviews.user("token-0");
    release();
    await Promise.all([...asking, same]);
    assert.equal(calls.length, 64);
    assert.deepEqual(await reviews.user("one more"), {});
  });

  it("tell the log why none can be had, once for each cause and kind, whatever is known of before; never the token", async () => {
    let failing: Error | undefined;
    const { reviews, lines, clock } = setup(({ path }) => {
      if (failing) throw failing;
      return { status: path.includes("tokenreviews") ? { authenticated: true, user: alice } : { allowed: true } };
    });
    await reviews.user("known");
    failing = new TransportError("ECONNREFUSED", "POST api:443/x: connect ECONNREFUSED");
    for (let n = 0; n < 3; n++) {
      await assert.rejects(reviews.user("very-secret"));
      await reviews.user("known");
      await assert.rejects(reviews.allowed(alice, "get", "/metrics"));
      await clock.advance(1_000);
    }
    assert.deepEqual(
      lines.map(({ level, msg }) => `${level} ${msg.replace(/ failed.*/, "")}`),
      ["warn Asking the API server who callers are", "warn Asking the API server what callers may do"],
    );
    failing = new ApiError(403, "Forbidden", "cannot create resource");
    await assert.rejects(reviews.allowed(alice, "get", "/metrics"));
    const rightMissing = "cannot create resource: let this program's account create subjectaccessreviews";
    assert.equal(lines[2]?.cause, rightMissing);
    failing = undefined;
    await reviews.user("very-secret");
    assert.match(lines[3]?.msg ?? "", /who callers are works again/);
    assert.equal(lines.length, 4);
    assert.ok(!JSON.stringify(lines).includes("very-secret"));
  });
});

describe("the gate before metrics", () => {
  const setup = (user: () => Promise<typeof alice | undefined>, allowed: () => Promise<boolean>) => {
    const admit = authorizer({ user, allowed }, "/metrics");
    return (token?: string) => admit(request(token && `Bearer ${token}`));
  };
  const yes = () => Promise.resolve(true);
  const known = () => Promise.resolve(alice);

  it("lets in who may, and refuses who is not known (401) or may not (403)", async () => {
    assert.equal(await setup(known, yes)("t"), undefined);
    const { status, headers } = (await setup(known, yes)()) as Refusal;
    assert.deepEqual([status, headers], [401, { "www-authenticate": "Bearer" }]);
    assert.equal((await setup(() => Promise.resolve(undefined), yes)("t"))?.status, 401);
    const denied = await setup(known, () => Promise.resolve(false))("t");
    assert.equal(denied?.status, 403);
    assert.match(denied.text, /alice may not get \/metrics/);
  });

  for (const [what, error, status] of [
    ["is down", new TransportError("ECONNREFUSED", "POST api:443/x: connect ECONNREFUSED"), 503],
    ["is overloaded", new ApiError(429, "TooManyRequests", "too many requests"), 503],
    ["forbids the review", new ApiError(403, "Forbidden", "cannot create resource tokenreviews"), 500],
    ["does not know us", new ApiError(401, "Unauthorized", "Unauthorized"), 500],
    ["is asked too much", new BusyError("64 reviews are under way"), 503],
  ] as const)
    it(`answers ${status} when the API server ${what}, without a word of why`, async () => {
      const whoFails = await setup(() => Promise.reject(error), yes)("t");
      const mayFails = await setup(known, () => Promise.reject(error))("t");
      for (const refusal of [whoFails, mayFails]) {
        assert.equal(refusal?.status, status);
        assert.ok(!refusal.text.includes(error.message));
      }
    });
});
