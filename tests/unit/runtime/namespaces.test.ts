import assert from "node:assert/strict";
import { Registry } from "prom-client";
import type { KubeObject } from "../../../operator/runtime";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { Controller } from "../../../operator/runtime/controller/controller";
import type { Transport } from "../../../operator/runtime/http/transport";
import { Caches } from "../../../operator/runtime/manager/caches";
import { ControllerMetrics, controllerFamilies } from "../../../operator/runtime/metrics/controllerMetrics";
import { reflectorMetrics } from "../../../operator/runtime/metrics/reflectorMetrics";
import { until } from "../../support/until";
import { FakeClock, settle } from "./support/fakeClock";
import { recordingLog } from "./support/log";
import { children } from "./support/modelApi";
import { ModelServer } from "./support/modelServer";
import { widget, widgets } from "./support/objects";

const inNamespace = (namespace: string, name: string, version = 1): KubeObject => {
  const made = widget(name, version, { uid: `${namespace}-${name}` });
  return { ...made, metadata: { ...made.metadata, namespace } };
};

describe("Controller of several namespaces", () => {
  function setup(reconcile: (key: { namespace: string; name: string }) => Promise<void>) {
    const clock = new FakeClock();
    const { log } = recordingLog();
    const scopes = ["team-a", "team-b"];
    const primary = new ObjectStore(widgets, scopes, log);
    const owned = new ObjectStore(children, scopes, log);
    const map = ({ metadata }: KubeObject) => [{ namespace: metadata.namespace ?? "", name: metadata.name }];
    const metrics = new ControllerMetrics(controllerFamilies(new Registry()), "test");
    const options = { name: "test", primary, watches: [{ store: owned, map }], reconcile };
    const controller = new Controller(options, { log, metrics, workers: 2, clock });
    controller.start();
    return { clock, primary, owned, controller };
  }

  it("operator-framework/java-operator-sdk#1405: works in a namespace once all its kinds are listed, whatever the others do", async () => {
    const passes: string[] = [];
    const { clock, primary, owned } = setup(async ({ namespace, name }) => void passes.push(`${namespace}/${name}`));
    primary.replace("team-a", [inNamespace("team-a", "cache")], "1");
    primary.replace("team-b", [inNamespace("team-b", "cache")], "1");
    // A resync as well must not touch what is not listed in full.
    await clock.advance(11 * 3_600_000);
    assert.deepEqual(passes, []);
    owned.replace("team-a", [inNamespace("team-a", "orphan", 2)], "2");
    await settle();
    assert.deepEqual(passes.sort(), ["team-a/cache", "team-a/orphan"]);
    primary.change({ type: "MODIFIED", object: inNamespace("team-b", "cache", 3) }, "team-b");
    await settle();
    assert.equal(passes.length, 2);
    owned.replace("team-b", [], "4");
    await settle();
    assert.deepEqual(passes.slice(2), ["team-b/cache"]);
    primary.change({ type: "MODIFIED", object: inNamespace("team-b", "cache", 5) }, "team-b");
    await settle();
    assert.equal(passes.length, 4);
  });

  it("tries what has failed in a namespace again when that is followed again, and nothing else", async () => {
    const passes: string[] = [];
    const { clock, primary, owned, controller } = setup(async ({ namespace }) => {
      passes.push(namespace);
      throw new Error("no");
    });
    for (const scope of ["team-a", "team-b"]) {
      primary.replace(scope, [inNamespace(scope, "cache")], "1");
      owned.replace(scope, [], "1");
    }
    await clock.advance(60_000);
    passes.length = 0;
    controller.retryFailed("team-a");
    await settle();
    assert.deepEqual(passes, ["team-a"]);
    controller.retryFailed("");
    await settle();
    assert.deepEqual(passes.sort(), ["team-a", "team-a", "team-b"]);
  });
});

describe("Caches of several namespaces", () => {
  /** An API server with a model for each namespace. */
  function setup(namespaces: string[]) {
    const servers = new Map(["", ...namespaces].map((name) => [name, new ModelServer()]));
    const at = (path: string) => servers.get(/namespaces\/([^/?]+)/.exec(path)?.[1] ?? "")!;
    const transport = {
      json: (call: { path: string }) => at(call.path).json(call),
      stream: (path: string, signal: AbortSignal) => at(path).stream(path, signal),
    };
    const { log, lines } = recordingLog();
    const registry = new Registry();
    const observer = reflectorMetrics(registry, () => caches.followed());
    const recovered: string[] = [];
    const onRecovered = (scope: string) => void recovered.push(scope);
    const caches = new Caches(transport as unknown as Transport, log, observer, namespaces, onRecovered);
    caches.add(widgets);
    caches.add(children);
    const stop = new AbortController();
    const run = () => {
      const running = caches.run(stop.signal);
      return async () => {
        stop.abort();
        await running;
      };
    };
    return { servers, caches, lines, registry, recovered, run };
  }

  it("elastic/cloud-on-k8s#7586: one that cannot be followed is a remark, one line and a metric, until it can", async () => {
    const { servers, caches, lines, registry, recovered, run } = setup(["team-a", "team-b"]);
    assert.match(String(caches.check()), /widgets\.example\.com in namespace team-a: the first list is under way; /);
    const lost = servers.get("team-b")!;
    lost.mood = "forbidden";
    const end = run();
    try {
      await settle(10);
      const { remark } = caches.check() as { remark: string };
      assert.equal(
        remark,
        "without what cannot be followed: widgets.example.com in namespace team-b: widgets is forbidden; " +
          "children.example.com in namespace team-b: widgets is forbidden",
      );
      const warnings = lines.filter(({ level }) => level === "warn");
      assert.deepEqual(
        warnings.map(({ msg, namespace, cause }) => [msg, namespace, cause]),
        [["Watching namespace team-b failed, trying again until it works", "team-b", "widgets is forbidden"]],
      );
      const metric = await registry.getSingleMetricAsString("reflector_up");
      assert.match(metric, /reflector_up\{resource="children\.example\.com",namespace="team-a"\} 1$/m);
      assert.match(metric, /reflector_up\{resource="children\.example\.com",namespace="team-b"\} 0$/m);
      lost.mood = "well";
      await until("the namespace to be followed", 5_000, () => caches.check() === undefined);
      assert.deepEqual(recovered, ["team-b"]);
      assert.equal(lines.at(-1)?.msg, "Watching namespace team-b works again");
    } finally {
      await end();
    }
  });

  it("fails while none can be followed, and while what is of no namespace cannot", async () => {
    const none = setup(["team-a", "team-b"]);
    for (const server of none.servers.values()) server.mood = "forbidden";
    const all = setup([]);
    all.servers.get("")!.mood = "forbidden";
    const mixed = setup(["team-a"]);
    mixed.caches.add({ ...widgets, plural: "zones", namespaced: false });
    mixed.servers.get("")!.mood = "missing";
    const ends = [none, all, mixed].map(({ run }) => run());
    try {
      await settle(10);
      assert.match(String(none.caches.check()), /^widgets\.example\.com in namespace team-a: widgets is forbidden; /);
      assert.match(String(all.caches.check()), /^widgets\.example\.com: widgets is forbidden; children/);
      assert.match(String(mixed.caches.check()), /^zones\.example\.com: .*is the CRD installed\?\)$/);
    } finally {
      await Promise.all(ends.map((end) => end()));
    }
  });
});
