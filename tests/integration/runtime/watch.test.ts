import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { Transport } from "../../../operator/runtime";
import type { Key } from "../../../operator/runtime";
import type { ReflectorOptions } from "../../../operator/runtime/cache/reflector";
import { Reflector } from "../../../operator/runtime/cache/reflector";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { createLogger } from "../../../operator/runtime/log";
import { reflectorMetrics } from "../../../operator/runtime/metrics/reflectorMetrics";
import { until } from "../../support/until";
import type { Seen } from "./faultProxy";
import { configMap, configMaps } from "./harness";
import { follow, names, useLab } from "./lab";

const firstList = (seen: Seen) => seen.path.includes("sendInitialEvents");
const plainList = (seen: Seen) => seen.method === "GET" && !seen.watch;
const rewatch = (seen: Seen) => seen.watch && !firstList(seen);

describe("watching a real API server", () => {
  const lab = useLab();

  it("reconciles what is there and what comes", async () => {
    await lab.create("there");
    const passes: string[] = [];
    const { primary } = lab.start(follow(passes));
    await until("a pass over the config map that was there", 5_000, () => passes.includes("there"));
    await lab.create("coming");
    await until("a pass over the new config map", 2_000, () => passes.includes("coming"));
    assert.equal(primary.get(lab.key("there"))?.metadata.name, "there");
    assert.ok(!JSON.stringify(primary.list()).includes("managedFields"));
    assert.equal(
      lab.proxy.count((seen) => seen.method === "GET"),
      1,
    );
  });

  it("watches the namespaces it is told to, and no other", async () => {
    const second = await lab.newNamespace();
    const third = await lab.newNamespace();
    const passes: string[] = [];
    const pass = (key: Key) => Promise.resolve(void passes.push(`${key.namespace}/${key.name}`));
    const { primary } = lab.start(pass, { namespaces: [lab.namespace, second] });
    await until("both namespaces to be listed", 5_000, () => primary.synced);
    for (const each of [third, second, lab.namespace]) await lab.admin.create(configMaps, configMap(each, "a"));
    await until("two passes", 5_000, () => passes.length === 2);
    assert.deepEqual(passes.sort(), [`${lab.namespace}/a`, `${second}/a`].sort());
  });

  for (const status of [500, 503, 401, 403]) {
    it(`kubernetes-client/javascript#1496: comes back after a ${status} for its watch, without a new list`, async () => {
      const passes: string[] = [];
      const { primary, lines } = lab.start(follow(passes));
      await until("the cache to be complete", 5_000, () => primary.synced);
      let refusals = 0;
      lab.proxy.fault = (seen) => (seen.watch && refusals++ < 1 ? { status } : "pass");
      lab.proxy.cut();
      await until("the refused watch", 5_000, () => refusals >= 1);
      await lab.create("later");
      await until("a pass over the later config map", 10_000, () => passes.includes("later"));
      assert.equal(lab.proxy.count(firstList), 1);
      assert.equal(lab.proxy.count(plainList), 0);
      const told = lines.filter((line) => line.level === "warn").map((line) => line.cause);
      assert.equal(told.length, new Set(told).size, `told twice: ${told.join("; ")}`);
    });
  }

  it("kubernetes-client/javascript#795: starts after a first list that fails, whatever with", async () => {
    await lab.create("a");
    const failures = [{ status: 500 }, "reset" as const];
    lab.proxy.fault = (seen) => (seen.watch && failures.shift()) || "pass";
    const passes: string[] = [];
    const { manager } = lab.start(follow(passes), { healthProbeBindAddress: "127.0.0.1:0" });
    await until("a pass", 10_000, () => passes.includes("a"));
    assert.deepEqual(failures, []);
    assert.equal((await fetch(`http://127.0.0.1:${manager.ports.health}/readyz`)).status, 200);
  });

  /** A reflector alone, for times shorter than a manager's. */
  const reflect = async (options: Partial<ReflectorOptions>, test: (store: ObjectStore) => Promise<void>) => {
    const log = createLogger({ level: "error" });
    const store = new ObjectStore(configMaps, [lab.namespace], log);
    const transport = new Transport({ config: lab.proxy.config, userAgent: "test" });
    const stop = new AbortController();
    const running = new Reflector({ transport, store, scope: lab.namespace, log, ...options }).run(stop.signal);
    try {
      await until("the cache to be complete", 5_000, () => store.synced);
      await test(store);
    } finally {
      stop.abort();
      await running;
      await transport.close();
    }
  };

  it("kubernetes-client/javascript#364: a watch that went dead without a word is replaced, without a new list, and counted", async () => {
    const registry = new Registry();
    await reflect({ silenceMs: 3_000, observer: reflectorMetrics(registry, () => []) }, async (store) => {
      lab.proxy.blackHole();
      await lab.create("unheard");
      await until("the config map in the cache", 10_000, () => store.get(lab.key("unheard")));
    });
    const metrics = await registry.metrics();
    assert.match(metrics, /reflector_watches_ended_total\{resource="configmaps",why="silent"\} 1\n/);
    assert.match(metrics, /reflector_lists_total\{resource="configmaps"\} 1\n/);
  });

  it("derailed/k9s#4186: lists plainly when something swallows the bookmark that ends a streamed list", async () => {
    await lab.create("a");
    lab.proxy.stripBookmarks = true;
    await reflect({ initialEventsMs: 1_000 }, (store) => Promise.resolve(assert.ok(store.get(lab.key("a")))));
    assert.equal(lab.proxy.count(plainList), 1);
  });

  it("a path that stalls and goes on loses nothing and costs nothing", async () => {
    const passes: string[] = [];
    const { primary } = lab.start(follow(passes));
    await until("the cache to be complete", 5_000, () => primary.synced);
    lab.proxy.pause();
    await lab.create("a");
    await lab.edit("a", { more: "1" });
    await lab.create("b");
    assert.equal(passes.length, 0);
    lab.proxy.resume();
    await until("a pass over the last", 5_000, () => passes.includes("b"));
    assert.equal(primary.get(lab.key("a"))?.data?.more, "1");
    assert.equal(lab.proxy.seen.length, 1);
  });

  it("fabric8io/kubernetes-client#6065: an expired watch costs one list each time, after a pause", async () => {
    const expired = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } };
    const times: number[] = [];
    let listed = 0;
    const observer = { listed: () => listed++, watchEnded: () => undefined };
    await reflect({ random: () => 0, observer }, async (store) => {
      lab.proxy.fault = (seen) =>
        rewatch(seen) && times.length < 2 && times.push(seen.at)
          ? { status: 200, body: `${JSON.stringify(expired)}\n` }
          : "pass";
      lab.proxy.closeWatches();
      await until("the first expired watch", 5_000, () => times.length === 1);
      await until("the list after it", 5_000, () => listed === 2);
      lab.proxy.closeWatches();
      await until("the second", 5_000, () => times.length === 2);
      await lab.create("after");
      await until("the config map made after", 10_000, () => store.get(lab.key("after")));
    });
    const lists = lab.proxy.seen.filter(firstList).map((seen) => seen.at);
    assert.equal(lists.length, 3);
    times.forEach((at, i) => assert.ok((lists[i + 1] ?? 0) - at > 700, "no pause before the list"));
  });

  it("fabric8io/kubernetes-client#7896: backs off from a server that closes watches at once, and then goes on", async () => {
    await reflect({ random: () => 0 }, async (store) => {
      const from = lab.proxy.seen.length;
      lab.proxy.fault = (seen) => (seen.watch ? "closeAtOnce" : "pass");
      lab.proxy.closeWatches();
      await until("three watches that end at once", 10_000, () => lab.proxy.seen.length >= from + 3);
      const [first = 0, second = 0, third = 0] = lab.proxy.seen.slice(from).map((seen) => seen.at);
      assert.ok(second - first > 700 && third - second > 1_500, "no backoff between the watches");
      lab.proxy.fault = () => "pass";
      await lab.create("after");
      await until("the config map made after", 10_000, () => store.get(lab.key("after")));
    });
  });

  it("kubernetes-client/javascript#2424: watches that end, one way or the other, cause neither lists nor passes", async () => {
    await lab.create(...names(30));
    const passes: string[] = [];
    lab.start(follow(passes));
    await until("the first passes", 5_000, () => passes.length === 30);
    for (const end of ["closeWatches", "cut", "closeWatches"] as const) {
      const from = lab.proxy.seen.length;
      lab.proxy[end]();
      await until("another watch", 10_000, () => lab.proxy.seen.length > from && lab.proxy.openWatches === 1);
    }
    await lab.create("last");
    await until("a pass over the new config map", 10_000, () => passes.includes("last"));
    assert.deepEqual(passes.sort(), [...names(30), "last"].sort());
    assert.equal(lab.proxy.count(firstList), 1);
    assert.ok(lab.proxy.seen.every((seen) => seen.watch));
  });
});
