import assert from "node:assert/strict";
import { isDeepStrictEqual } from "node:util";
import * as fc from "fast-check";
import { Registry } from "prom-client";
import type { KubeObject, Reconcile } from "../../../operator/runtime";
import { HttpClient } from "../../../operator/runtime";
import { Reflector } from "../../../operator/runtime/cache/reflector";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { Controller } from "../../../operator/runtime/controller/controller";
import type { WriteObserver } from "../../../operator/runtime/http/client";
import { ControllerMetrics, controllerFamilies } from "../../../operator/runtime/metrics/controllerMetrics";
import { FakeClock } from "./support/fakeClock";
import { recordingLog } from "./support/log";
import { ModelApi, children } from "./support/modelApi";
import type { WriteFault } from "./support/modelApi";
import type { Mood } from "./support/modelServer";
import type { Widget } from "./support/objects";
import { widgets } from "./support/objects";

const minute = 60_000;

/** A whole operator over a model API server: every widget has a child of its value and UID, and says in its status which it has seen. */
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
  const count = { passes: 0 };
  const reconcile: Reconcile = async (key) => {
    count.passes++;
    const owner = stores.widgets.get(key);
    const child = stores.children.get(key);
    if (!owner) {
      if (child) await client.delete(children, key, { uid: child.metadata.uid });
      return;
    }
    const value = owner.spec?.value;
    const spec = { value, owner: owner.metadata.uid };
    if (!isDeepStrictEqual(child?.spec, spec)) {
      const body = { apiVersion: "example.com/v1", kind: "Child", metadata: key, spec };
      await client.apply(children, body, { fieldManager: "test", force: true });
    }
    const uid = stores.children.get(key)?.metadata.uid;
    const status = { value, child: uid };
    if (owner.status?.value !== value || owner.status?.child !== uid) await client.patchStatus(widgets, key, status);
  };
  const metrics = new ControllerMetrics(controllerFamilies(new Registry()), "test");
  const map = ({ metadata }: KubeObject) => [{ namespace: "ns", name: metadata.name }];
  const options = {
    name: "test",
    primary: stores.widgets,
    watches: [{ store: stores.children, map }],
    reconcile,
  };
  const controller = new Controller(options, { log, metrics, workers: 2, clock });
  const stop = new AbortController();
  const reflectors = [stores.widgets, stores.children].map((each) => {
    const reflector = new Reflector({ transport: api, store: each as unknown as ObjectStore, scope: "", log, clock });
    return reflector.run(stop.signal);
  });
  controller.start();
  const wrong = () => {
    const found: string[] = [];
    for (const [name, { metadata, spec, status }] of api.widgets.objects) {
      const child = api.children.objects.get(name);
      if (child?.spec?.value !== spec?.value) found.push(`${name}: child ${child?.spec?.value}, wanted ${spec?.value}`);
      if (child?.spec?.owner !== metadata.uid) found.push(`${name}: the child is of another owner`);
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
  const requests = () => api.widgets.requests.length + api.children.requests.length;
  return { clock, api, count, requests, wrong, end };
}

const name = fc.constantFrom("a", "b", "c");
const value = fc.nat(4);
const kind = fc.constantFrom("widgets" as const, "children" as const);
const does = <T extends string, R extends object>(what: T, more: { [K in keyof R]: fc.Arbitrary<R[K]> }) =>
  fc.record({ do: fc.constant(what), ...more }) as fc.Arbitrary<{ do: T } & R>;
const mood = fc.constantFrom<Mood>("well", "down", "empty", "expired", "error", "missing", "forbidden");
const trouble = fc.constantFrom("cut" as const, "close", "silence", "compact", "pause", "resume", "bookmark");
const fault = fc.constantFrom<WriteFault>("none", "refused", "lost");

/** What users, other controllers, networks and API servers do. */
const step = fc.oneof(
  { weight: 6, arbitrary: does("edit", { name, value }) },
  { weight: 2, arbitrary: does("remove", { name, kind }) },
  { weight: 1, arbitrary: does("recreate", { name, value }) },
  { weight: 2, arbitrary: does("tamper", { name, value }) },
  { weight: 1, arbitrary: does("wipe", { name }) },
  { weight: 3, arbitrary: does("trouble", { trouble, kind }) },
  { weight: 1, arbitrary: does("mood", { kind, mood }) },
  { weight: 1, arbitrary: does("fault", { fault }) },
  { weight: 1, arbitrary: does("latency", { ms: fc.constantFrom(0, 20, 900, 5_000) }) },
  { weight: 6, arbitrary: does("advance", { ms: fc.constantFrom(0, 1, 10, 100, 3_000, 40_000) }) },
);

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** Does one step; returns how long it took. */
async function act({ clock, api }: Pick<ReturnType<typeof setup>, "clock" | "api">, s: Step): Promise<number> {
  if (s.do === "edit") api.widgets.put(s.name, s.value);
  else if (s.do === "remove") api[s.kind].delete(s.name);
  else if (s.do === "recreate") {
    api.widgets.delete(s.name);
    api.widgets.put(s.name, s.value);
  } else if (s.do === "tamper") api.children.put(s.name, s.value);
  else if (s.do === "wipe") {
    if (api.widgets.objects.has(s.name)) api.widgets.write(s.name, { status: {} });
  } else if (s.do === "trouble") api[s.kind][s.trouble]();
  else if (s.do === "mood") {
    api[s.kind].mood = s.mood;
    if (s.mood !== "well") api[s.kind].cut();
  } else if (s.do === "fault") api.writeFault = s.fault;
  else if (s.do === "latency") api.latencyMs = s.ms;
  else {
    await clock.advance(s.ms);
    return s.ms;
  }
  return 0;
}

describe("a controller", () => {
  it("converges after any interleaving of edits, deletions, tampering and failures, with few requests, and then rests", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 50 }), async (steps) => {
        const operator = setup();
        const { clock, api, count, requests, wrong, end } = operator;
        let passedMs = 0;
        for (const s of steps) passedMs += await act(operator, s);
        api.writeFault = "none";
        api.latencyMs = 20;
        for (const server of [api.widgets, api.children]) {
          server.mood = "well";
          server.resume();
        }
        await clock.advance(6 * minute);
        passedMs += 6 * minute;
        assert.deepEqual(wrong(), []);
        const told = `after ${steps.length} steps in ${passedMs / 1000} s`;
        // Failing writes back off: a handful at once, then ever fewer.
        const writes = 15 + 8 * steps.length + passedMs / 500 - 6 * 120;
        assert.ok(api.writes.length <= writes, `${api.writes.length} writes ${told}`);
        const reads = 2 * (10 + 4 * steps.length + passedMs / 1_500);
        assert.ok(requests() <= reads, `${requests()} lists and watches ${told}`);
        const before = { writes: api.writes.length, passes: count.passes };
        await clock.advance(10 * minute);
        assert.deepEqual({ writes: api.writes.length, passes: count.passes }, before, "it works when nothing changes");
        await end();
      }),
      { numRuns: 200 },
    );
  }).timeout(60_000);

  for (const latencyMs of [0, 20, 5_000]) {
    it(`crossplane/crossplane#7745: a new object costs one pass and one write each, with answers after ${latencyMs} ms`, async () => {
      const { clock, api, count, wrong, end } = setup();
      await clock.advance(1_000);
      api.latencyMs = latencyMs;
      for (const name of ["a", "b", "c", "d", "e"]) api.widgets.put(name, 1);
      await clock.advance(minute);
      assert.deepEqual(wrong(), []);
      assert.equal(count.passes, 5);
      assert.deepEqual(
        api.writes.toSorted(),
        ["a", "b", "c", "d", "e"]
          .flatMap((each) => [`PATCH children/${each}`, `PATCH widgets/${each}/status`])
          .toSorted(),
      );
      await end();
    });
  }
});
