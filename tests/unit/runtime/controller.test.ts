import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { ApiError, TransportError, keyText } from "../../../operator/runtime";
import type { Key, Reconcile } from "../../../operator/runtime";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { Controller } from "../../../operator/runtime/controller/controller";
import { ControllerMetrics, controllerFamilies } from "../../../operator/runtime/metrics/controllerMetrics";
import { FakeClock, settle } from "./support/fakeClock";
import { recordingLog } from "./support/log";
import type { Widget } from "./support/objects";
import { widget, widgets } from "./support/objects";

function setup(reconcile: Reconcile) {
  const clock = new FakeClock();
  const { log, lines } = recordingLog();
  const registry = new Registry();
  const primary = new ObjectStore<Widget>(widgets, [""], log);
  const metrics = new ControllerMetrics(controllerFamilies(registry), "test");
  const options = { name: "test", primary, reconcile };
  const controller = new Controller(options, { log, metrics, workers: 2, clock });
  const metric = async (name: string, labels: Record<string, string> = {}) => {
    const found = await registry.getSingleMetric(name)?.get();
    const matches = (value: { labels: object }) =>
      Object.entries(labels).every(([label, text]) => (value.labels as Record<string, unknown>)[label] === text);
    return found?.values.find(matches)?.value;
  };
  return { clock, lines, primary, controller, metric };
}

const name = ({ name }: Key) => name;

describe("Controller", () => {
  it("works off what came while it stood by, then each change", async () => {
    const passes: string[] = [];
    const { primary, controller } = setup(async (key) => void passes.push(keyText(key)));
    primary.replace("", [widget("a", 1)], "1");
    await settle();
    assert.deepEqual(passes, []);
    controller.start();
    await settle();
    primary.change({ type: "MODIFIED", object: widget("a", 2) });
    primary.change({ type: "DELETED", object: widget("a", 3) });
    await settle();
    assert.deepEqual(passes, ["ns/a", "ns/a"]);
  });

  it("a failing pass is retried with backoff, counted, and delays no one else", async () => {
    const passes: string[] = [];
    const { clock, primary, controller, metric, lines } = setup(async (key) => {
      passes.push(key.name);
      if (key.name === "bad") throw new ApiError(403, "Forbidden", "exceeded quota");
    });
    controller.start();
    primary.replace("", [widget("bad", 1), widget("good", 2)], "2");
    await clock.advance(1_000);
    assert.equal(passes.filter((n) => n === "good").length, 1);
    const tries = passes.filter((n) => n === "bad").length;
    assert.ok(tries >= 6 && tries <= 9, `${tries} tries in a second`);
    assert.equal(await metric("controller_runtime_reconcile_total", { result: "error" }), tries);
    assert.equal(await metric("controller_runtime_reconcile_errors_total"), tries);
    assert.ok(lines.some((line) => line.msg === "Reconciler error" && line.name === "bad"));
  });

  it("operator-framework/operator-sdk#3968: a conflict is retried without an error in the log", async () => {
    let tries = 0;
    const { clock, primary, controller, lines } = setup(async () => {
      if (++tries === 1) throw new ApiError(409, "Conflict", "the object has been modified");
    });
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await clock.advance(100);
    assert.equal(tries, 2);
    assert.ok(lines.every((line) => line.level !== "error"));
  });

  it("comes back after requeueAfterMs", async () => {
    let passes = 0;
    const { clock, primary, controller } = setup(() =>
      Promise.resolve(++passes === 1 ? { requeueAfterMs: 1_000 } : {}),
    );
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await clock.advance(999);
    assert.equal(passes, 1);
    await clock.advance(5_000);
    assert.equal(passes, 2);
  });

  it("stackabletech/trino-lb#83: passes that hang lend their places, so that others go on", async () => {
    const done: string[] = [];
    const { clock, primary, controller } = setup(async (key) => {
      if (key.name.startsWith("hung")) await new Promise(() => undefined);
      done.push(name(key));
    });
    controller.start();
    primary.replace("", [], "1");
    for (const n of ["hung-1", "hung-2", "hung-3"]) primary.change({ type: "ADDED", object: widget(n, 2) });
    primary.change({ type: "ADDED", object: widget("other", 3) });
    await clock.advance(5_000);
    assert.deepEqual(done, ["other"]);
  });

  it("does not run again for the answer to its own write, but does when that brings news", async () => {
    let passes = 0;
    const changes: Widget[] = [
      { ...widget("a", 5), status: { ready: true } },
      { ...widget("a", 9, { labels: { by: "someone" } }), status: { ready: true } },
    ];
    const store: { current?: ObjectStore<Widget> } = {};
    const { primary, controller } = setup(async () => {
      passes++;
      const answer = changes.shift();
      if (answer) store.current?.observe(answer, "status");
    });
    store.current = primary;
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle();
    assert.equal(passes, 1);
    primary.change({ type: "MODIFIED", object: widget("a", 6) });
    await settle();
    assert.equal(passes, 3);
  });

  it("crossplane/crossplane#7745: does not run again for its own write when the watch tells of it before the answer does", async () => {
    const writes = [
      // The watch is first, and says no more than the answer.
      { told: [{ ...widget("a", 5), status: { ready: true } }], answered: 5 },
      // Someone else's change comes right after.
      { told: [{ ...widget("a", 7), status: { ready: false } }, widget("a", 8, { value: 3 })], answered: 7 },
      // Someone else's change is in the state that our write led to.
      { told: [{ ...widget("a", 11, { value: 4 }), status: { ready: true } }], answered: 11 },
    ];
    let passes = 0;
    const store: { current?: ObjectStore<Widget> } = {};
    const { primary, controller } = setup(async () => {
      passes++;
      const write = writes.shift();
      if (!write) return;
      for (const object of write.told) store.current?.change({ type: "MODIFIED", object });
      await settle();
      const answer = write.told.find(({ metadata }) => metadata.resourceVersion === String(write.answered));
      store.current?.observe(answer as Widget, "status");
    });
    store.current = primary;
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle(20);
    assert.equal(passes, 1);
    primary.change({ type: "MODIFIED", object: widget("a", 6) });
    await settle(20);
    assert.equal(passes, 4, "two passes for others' changes");
    assert.equal(writes.length, 0);
  });

  it("runs again when its status write has met a new object of that name", async () => {
    let passes = 0;
    const store: { current?: ObjectStore<Widget> } = {};
    const { primary, controller } = setup(async () => {
      if (++passes > 1) return;
      const answer = { ...widget("a", 4, { uid: "another" }), status: { ready: true } };
      store.current?.observe(answer, "status");
      store.current?.change({ type: "MODIFIED", object: answer });
    });
    store.current = primary;
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle(20);
    assert.equal(passes, 2);
  });

  it("runs again for what the watch told of a write whose answer was lost", async () => {
    let passes = 0;
    const store: { current?: ObjectStore<Widget> } = {};
    const { primary, controller } = setup(async () => {
      if (++passes === 1) store.current?.change({ type: "MODIFIED", object: widget("a", 2) });
      if (passes === 1) throw new TransportError("ECONNRESET", "connection reset");
    });
    store.current = primary;
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle();
    assert.equal(passes, 2);
  });

  it("kubernetes-client/javascript#856: a pass that fails on a strange object is counted as a bug", async () => {
    const { primary, controller, metric } = setup(async (key) => {
      const { spec } = primary.get(key) as { spec: { value: number } };
      if (spec.value < 0) throw new Error("never");
    });
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle();
    primary.change({ type: "MODIFIED", object: { ...widget("a", 2), spec: null } as never });
    await settle();
    assert.equal(await metric("controller_runtime_reconcile_panics_total"), 1);
  });

  it("starts a new object of an old name with a clean record", async () => {
    const { clock, primary, controller, lines } = setup(() => Promise.reject(new Error("no")));
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await clock.advance(30_000);
    lines.length = 0;
    primary.change({ type: "MODIFIED", object: widget("a", 2, { uid: "another" }) });
    await settle();
    const delays = lines.filter((line) => line.msg === "Reconciler error").map((line) => line.retryInMs as number);
    assert.ok(delays[0] !== undefined && delays[0] <= 6, `retries in ${delays[0]} ms`);
  });

  it("stops only after passes under way have ended, and takes no more", async () => {
    const finish: (() => void)[] = [];
    let passes = 0;
    const { primary, controller } = setup(() => {
      passes++;
      return new Promise<void>((resolve) => finish.push(resolve));
    });
    controller.start();
    primary.replace("", [widget("a", 1)], "1");
    await settle();
    let stopped = false;
    const stopping = controller.stop().then(() => (stopped = true));
    primary.change({ type: "ADDED", object: widget("b", 2) });
    await settle();
    assert.equal(stopped, false);
    finish.forEach((end) => end());
    await stopping;
    assert.equal(passes, 1);
  });

  it("gives every key a pass now and then", async () => {
    let passes = 0;
    const { clock, primary, controller } = setup(async () => void passes++);
    controller.start();
    primary.replace("", [widget("a", 1), widget("b", 1)], "1");
    await clock.advance(11 * 3_600_000);
    assert.equal(passes, 4);
    await controller.stop();
    assert.equal(clock.pending, 0);
  });
});
