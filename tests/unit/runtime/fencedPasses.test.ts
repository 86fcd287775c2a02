import assert from "node:assert/strict";
import { Registry } from "prom-client";
import { FencedError } from "../../../operator/runtime";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import { Controller } from "../../../operator/runtime/controller/controller";
import { ControllerMetrics, controllerFamilies } from "../../../operator/runtime/metrics/controllerMetrics";
import { FakeClock } from "./support/fakeClock";
import { recordingLog } from "./support/log";
import type { Widget } from "./support/objects";
import { widget, widgets } from "./support/objects";

function setup(reconcile: (key: { name: string }) => Promise<void>) {
  const clock = new FakeClock();
  const { log, lines } = recordingLog();
  const registry = new Registry();
  const metrics = new ControllerMetrics(controllerFamilies(registry), "test");
  const primary = new ObjectStore<Widget>(widgets, [""], log);
  const options = { name: "test", primary, reconcile };
  const controller = new Controller(options, { log, metrics, workers: 2, clock });
  return { clock, lines, registry, primary, controller };
}

describe("Controller: leadership that is lost, or nearly", () => {
  it("makes passes that the fence cut short again when the lease is renewed late, without an error in log or metrics", async () => {
    const done: string[] = [];
    let fenced = true;
    const { clock, lines, registry, primary, controller } = setup(async ({ name }) => {
      if (fenced) throw new FencedError("the lease was not renewed within 10 s: another replica may lead by now");
      done.push(name);
    });
    controller.start();
    primary.replace("", [widget("a", 1), widget("b", 2)], "2");
    await clock.advance(2_000);
    assert.deepEqual(done, []);
    fenced = false;
    await clock.advance(5_000);
    assert.deepEqual(done.sort(), ["a", "b"]);
    assert.deepEqual(
      lines.filter(({ level }) => level === "error"),
      [],
    );
    const errors = await registry.getSingleMetric("controller_runtime_reconcile_errors_total")?.get();
    assert.ok(errors?.values.every(({ value }) => value === 0));
  });

  it("begins no pass once it is lost", async () => {
    const begun: string[] = [];
    const { clock, primary, controller } = setup(async ({ name }) => void begun.push(name));
    controller.start();
    controller.abort(new Error("the lease was taken"));
    primary.replace("", [widget("a", 1)], "1");
    await clock.advance(1_000);
    assert.deepEqual(begun, []);
  });
});
