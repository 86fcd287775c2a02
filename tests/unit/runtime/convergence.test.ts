import assert from "node:assert/strict";
import * as fc from "fast-check";
import { Registry } from "prom-client";
import type { KubeObject, Reconcile } from "../../../operator/runtime";
import { HttpClient } from "../../../operator/runtime";
import { Reflector } from "../../../operator/runtime/cache/reflector";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { Controller } from "../../../operator/runtime/controller/controller";
import type { WriteObserver } from "../../../operator/runtime/http/client";
import { ControllerMetricFamilies, ControllerMetrics } from "../../../operator/runtime/metrics/controller";
import { FakeClock } from "./support/fakeClock";
import { recordingLog } from "./support/log";
import { ModelApi, children } from "./support/modelApi";
import type { Mood } from "./support/modelServer";
import type { Widget } from "./support/objects";
import { widgets } from "./support/objects";

const minute = 60_000;

/** A whole operator over a model API server: every widget has a child of its value, and says in its status which it has seen. */
function setup() {
  const clock = new FakeClock();
  const api = new ModelApi(clock);
  const { log } = recordingLog("fatal");
  const store = (type: typeof widgets) => new ObjectStore<Widget>(type, [""], log);
  const stores = { widgets: store(widgets), children: store(children) };
  const observer: WriteObserver = {
    wrote: (type, object, wrote) => stores[type.plural as "widgets"].observe(object, wrote),
    deleted: (type, key, uid) => stores[type.plural as "widgets"].observeDeleted(key, uid),
  };
  const client = new HttpClient(api, { observer });
  const reconcile: Reconcile = async (key) => {
    const owner = stores.widgets.get(key);
    const child = stores.children.get(key);
    if (!owner) {
      if (child) await client.delete(children, key, { uid: child.metadata.uid });
      return;
    }
    const value = owner.spec?.value;
    if (child?.spec?.value !== value) {
      const body = { apiVersion: "example.com/v1", kind: "Child", metadata: key, spec: { value } };
      await client.apply(children, body, { fieldManager: "test", force: true });
    }
    const uid = stores.children.get(key)?.metadata.uid;
    const status = { value, child: uid };
    if (owner.status?.value !== value || owner.status?.child !== uid) await client.patchStatus(widgets, key, status);
  };
  const metrics = new ControllerMetrics(new ControllerMetricFamilies(new Registry()), "test");
  const map = ({ metadata }: KubeObject) => [{ namespace: "ns", name: metadata.name }];
  const options = {
    name: "test",
    primary: stores.widgets,
    watches: [{ store: stores.children, map }],
    reconcile,
    resyncMs: 0,
  };
  const controller = new Controller(options, { log, metrics, workers: 2, clock });
  const stop = new AbortController();
  const reflectors = [stores.widgets, stores.children].map((each) => {
    const reflector = new Reflector({ transport: api, store: each as unknown as ObjectStore, scope: "", log, clock });
    return reflector.run(stop.signal);
  });
  void Promise.all(Object.values(stores).map((each) => each.whenSynced())).then(() => controller.start());
  const wrong = () => {
    const found: string[] = [];
    for (const [name, { spec, status }] of api.widgets.objects) {
      const child = api.children.objects.get(name);
      if (child?.spec?.value !== spec?.value) found.push(`${name}: child ${child?.spec?.value}, wanted ${spec?.value}`);
      if (status?.value !== spec?.value || status?.child !== child?.metadata.uid) found.push(`${name}: stale status`);
    }
    for (const name of api.children.objects.keys()) if (!api.widgets.objects.has(name)) found.push(`${name}: orphan`);
    return found;
  };
  const end = async () => {
    stop.abort();
    const stopped = controller.stop();
    await clock.advance(minute);
    await Promise.all([...reflectors, stopped]);
  };
  return { clock, api, wrong, end };
}

describe("a controller", () => {
  it("converges after any interleaving of edits, deletions, tampering and failures, with few writes, and then rests", async () => {
    const name = fc.constantFrom("a", "b", "c");
    const value = fc.nat(4);
    const kind = fc.constantFrom("widgets" as const, "children" as const);
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.record({ do: fc.constant("edit" as const), name, value }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), name, kind }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant("tamper" as const), name, value }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant("wipe" as const), name }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("cut" as const, "close", "silence", "compact"), kind }) },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant("mood" as const),
          kind,
          mood: fc.constantFrom<Mood>("well", "down", "empty", "error", "missing"),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({
          do: fc.constant("fault" as const),
          fault: fc.constantFrom("none" as const, "refused", "lost"),
        }),
      },
      {
        weight: 1,
        arbitrary: fc.record({ do: fc.constant("latency" as const), ms: fc.constantFrom(0, 20, 900, 5_000) }),
      },
      {
        weight: 6,
        arbitrary: fc.record({
          do: fc.constant("advance" as const),
          ms: fc.constantFrom(0, 1, 10, 100, 3_000, 40_000),
        }),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
        const { clock, api, wrong, end } = setup();
        let passed = 0;
        for (const s of steps) {
          if (s.do === "edit") api.widgets.put(s.name, s.value);
          else if (s.do === "remove") api[s.kind].delete(s.name);
          else if (s.do === "tamper") api.children.put(s.name, s.value);
          else if (s.do === "wipe") {
            if (api.widgets.objects.has(s.name)) api.widgets.write(s.name, { status: {} });
          } else if (s.do === "mood") {
            api[s.kind].mood = s.mood;
            if (s.mood !== "well") api[s.kind].cut();
          } else if (s.do === "fault") api.writeFault = s.fault;
          else if (s.do === "latency") api.latencyMs = s.ms;
          else if (s.do === "advance") {
            passed += s.ms;
            await clock.advance(s.ms);
          } else api[s.kind][s.do]();
        }
        api.writeFault = "none";
        api.latencyMs = 20;
        api.widgets.mood = "well";
        api.children.mood = "well";
        await clock.advance(6 * minute);
        assert.deepEqual(wrong(), []);
        // Failing writes back off: a handful at once, then ever fewer.
        const bound = 15 + 8 * steps.length + passed / 500;
        assert.ok(
          api.writes.length <= bound,
          `${api.writes.length} writes after ${steps.length} steps in ${passed / 1000} s`,
        );
        const before = api.writes.length;
        await clock.advance(10 * minute);
        assert.equal(api.writes.length, before, "it still writes when nothing changes");
        await end();
      }),
      { numRuns: 150 },
    );
  }).timeout(60_000);
});
