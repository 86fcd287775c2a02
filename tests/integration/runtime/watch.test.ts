import assert from "node:assert/strict";
import { HttpClient, Transport, loadConfig } from "../../../operator/runtime";
import type { Key } from "../../../operator/runtime";
import { Reflector } from "../../../operator/runtime/cache/reflector";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { createLogger } from "../../../operator/runtime/log";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { until } from "../../support/until";
import { FaultProxy } from "./faultProxy";
import { configMap, configMaps, startManager, stopManagers } from "./harness";

describe("watching a real API server", () => {
  let cp: ControlPlane;
  let proxy: FaultProxy;
  let namespace: string;
  let admin: HttpClient;
  let transport: Transport;

  before(async function () {
    this.timeout(90_000);
    cp = await controlPlane();
    transport = new Transport({ config: await loadConfig({ kubeconfig: cp.kubeconfig }), userAgent: "test" });
    admin = new HttpClient(transport);
  });
  after(() => transport?.close());
  beforeEach(async () => {
    namespace = await newNamespace(cp);
    proxy = await FaultProxy.start(cp);
  });
  afterEach(async () => {
    await stopManagers();
    await proxy.stop();
    await deleteNamespace(cp, namespace);
  });

  const create = (name: string) => admin.create(configMaps, configMap(namespace, name));
  /** Collects the names that passes were made for. */
  const follow = (passes: string[]) => (key: Key) => Promise.resolve(void passes.push(key.name));

  it("reconciles what is there and what comes", async () => {
    await create("there");
    const passes: string[] = [];
    const { primary } = startManager(proxy.config, namespace, follow(passes));
    await until("a pass over the config map that was there", 5_000, () => passes.includes("there"));
    await create("coming");
    await until("a pass over the new config map", 2_000, () => passes.includes("coming"));
    assert.equal(primary.get({ namespace, name: "there" })?.metadata.name, "there");
    assert.ok(!JSON.stringify(primary.list()).includes("managedFields"));
    assert.equal(
      proxy.count((seen) => seen.method === "GET"),
      1,
    );
  });

  it("watches the namespaces it is told to, and no other", async () => {
    const second = await newNamespace(cp);
    const third = await newNamespace(cp);
    const passes: string[] = [];
    const follow = (key: Key) => Promise.resolve(void passes.push(`${key.namespace}/${key.name}`));
    const { primary } = startManager(proxy.config, namespace, follow, { namespaces: [namespace, second] });
    await until("both namespaces to be listed", 5_000, () => primary.synced);
    for (const each of [third, second, namespace]) await admin.create(configMaps, configMap(each, "a"));
    await until("two passes", 5_000, () => passes.length === 2);
    assert.deepEqual(passes.sort(), [`${namespace}/a`, `${second}/a`].sort());
    await deleteNamespace(cp, second);
    await deleteNamespace(cp, third);
  });

  for (const status of [500, 503, 401, 403]) {
    it(`javascript#1496: comes back after a ${status} for its watch, without a new list`, async () => {
      const passes: string[] = [];
      const { primary } = startManager(proxy.config, namespace, follow(passes));
      await until("the cache to be complete", 5_000, () => primary.synced);
      let refusals = 0;
      proxy.fault = (seen) => (seen.watch && refusals++ < 1 ? { status } : "pass");
      proxy.cut();
      await until("the refused watch", 5_000, () => refusals >= 1);
      await create("later");
      await until("a pass over the later config map", 10_000, () => passes.includes("later"));
      assert.equal(
        proxy.count((seen) => seen.path.includes("sendInitialEvents")),
        1,
      );
      assert.equal(
        proxy.count((seen) => seen.method === "GET" && !seen.watch),
        0,
      );
    });
  }

  it("javascript#364: a watch that went dead without a word is replaced, and counted", async () => {
    const log = createLogger({ level: "error" });
    const store = new ObjectStore(configMaps, [namespace], log);
    const ended: string[] = [];
    const dead = new Transport({ config: proxy.config, userAgent: "test" });
    const observer = { listed: () => undefined, watchEnded: (_resource: string, why: string) => ended.push(why) };
    const options = { transport: dead, store, scope: namespace, log, observer, silenceMs: 3_000 };
    const stop = new AbortController();
    const running = new Reflector(options).run(stop.signal);
    await until("the cache to be complete", 5_000, () => store.synced);
    proxy.blackHole();
    await create("unheard");
    await until("the config map in the cache", 10_000, () => store.get({ namespace, name: "unheard" }));
    assert.deepEqual(ended, ["silent"]);
    stop.abort();
    await running;
    await dead.close();
  });

  it("k9s#4186: lists plainly when something swallows the bookmark that ends a streamed list", async () => {
    await create("a");
    proxy.stripBookmarks = true;
    const log = createLogger({ level: "error" });
    const store = new ObjectStore(configMaps, [namespace], log);
    const stripped = new Transport({ config: proxy.config, userAgent: "test" });
    const stop = new AbortController();
    const reflector = new Reflector({ transport: stripped, store, scope: namespace, log, initialEventsMs: 1_000 });
    const running = reflector.run(stop.signal);
    await until("the cache to be complete", 5_000, () => store.synced);
    assert.ok(store.get({ namespace, name: "a" }));
    stop.abort();
    await running;
    await stripped.close();
  });

  it("fabric8#6065: an expired watch costs one list each time, with backoff between", async () => {
    const passes: string[] = [];
    const { primary } = startManager(proxy.config, namespace, follow(passes));
    await until("the cache to be complete", 5_000, () => primary.synced);
    const expired = { type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired", message: "too old" } };
    let times = 0;
    proxy.fault = (seen) =>
      seen.watch && !seen.path.includes("sendInitialEvents") && times++ < 3
        ? { status: 200, body: `${JSON.stringify(expired)}\n` }
        : "pass";
    proxy.cut();
    await until("the expired watch", 5_000, () => times >= 1);
    await create("after");
    await until("a pass over the config map made after", 10_000, () => passes.includes("after"));
    const lists = proxy.count((seen) => seen.path.includes("sendInitialEvents"));
    assert.ok(lists <= 1 + times, `${lists} lists for ${times} expired watches`);
  });

  it("fabric8#7896: backs off from a server that closes watches at once, and then goes on", async () => {
    const passes: string[] = [];
    const { primary } = startManager(proxy.config, namespace, follow(passes));
    await until("the cache to be complete", 5_000, () => primary.synced);
    const from = proxy.seen.length;
    proxy.fault = (seen) => (seen.watch ? "closeAtOnce" : "pass");
    proxy.cut();
    await until("three watches that end at once", 15_000, () => proxy.seen.length >= from + 3);
    const times = proxy.seen.slice(from).map((seen) => seen.at);
    assert.ok((times[2] ?? 0) - (times[0] ?? 0) > 2_000, "no backoff between the watches");
    proxy.fault = () => "pass";
    await create("after");
    await until("a pass over the config map made after", 20_000, () => passes.includes("after"));
  }).timeout(45_000);

  it("javascript#2424: closed watches and relists of unchanged objects cause no passes", async () => {
    for (const name of ["a", "b", "c"]) await create(name);
    const passes: string[] = [];
    startManager(proxy.config, namespace, follow(passes));
    await until("the first passes", 5_000, () => passes.length === 3);
    for (let i = 0; i < 2; i++) {
      const from = proxy.seen.length;
      proxy.cut();
      await until("another watch", 10_000, () => proxy.seen.length > from);
    }
    await create("d");
    await until("a pass over the new config map", 10_000, () => passes.includes("d"));
    assert.deepEqual(passes.sort(), ["a", "b", "c", "d"]);
  });

  it("controller-runtime#1622: reads its own writes while watch events are late", async () => {
    proxy.eventDelayMs = 1_500;
    await create("a");
    const seen: (string | undefined)[] = [];
    const { manager, primary } = startManager(proxy.config, namespace, async (key) => {
      if (seen.length > 0 || key.name !== "a") return;
      await manager.client.apply(configMaps, configMap(namespace, "a", { by: "us" }), {
        fieldManager: "test",
        force: true,
      });
      seen.push(primary.get(key)?.data?.by);
      await manager.client.delete(configMaps, key);
      seen.push(primary.get(key)?.metadata.name);
    });
    await until("the pass with its two writes", 10_000, () => seen.length === 2);
    assert.deepEqual(seen, ["us", undefined]);
  });
});
