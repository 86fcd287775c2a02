import assert from "node:assert/strict";
import { Reflector } from "../../../../operator/runtime/cache/reflector";
import { ObjectStore } from "../../../../operator/runtime/cache/store";
import { FakeClock } from "./fakeClock";
import { recordingLog } from "./log";
import { ModelServer } from "./modelServer";
import type { Widget } from "./objects";
import { widgets } from "./objects";

/** A reflector at work on a model of an API server, and what a follower of its store sees. */
export function setup() {
  const server = new ModelServer();
  const clock = new FakeClock();
  const { log, lines } = recordingLog();
  const store = new ObjectStore<Widget>(widgets, [""], log);
  const mirror = new Map<string, Widget>();
  const wrong: string[] = [];
  store.subscribe(({ type, object, old }) => {
    const { name } = object.metadata;
    if (type === "answered") return;
    // Whoever follows the events must at every moment know what the store knows.
    if (mirror.has(name) !== (type !== "added") || (type === "updated" && mirror.get(name) !== old)) {
      wrong.push(`${type} ${name}`);
    }
    if (type === "deleted") mirror.delete(name);
    else mirror.set(name, object);
  });
  const ended: string[] = [];
  const recovered: number[] = [];
  const reflector = new Reflector({
    transport: server,
    store: store as unknown as ObjectStore,
    scope: "",
    log,
    clock,
    random: () => 0.5,
    onRecovered: () => recovered.push(clock.now()),
    observer: { listed: () => ended.push("listed"), watchEnded: (_resource, why) => ended.push(why) },
  });
  const stop = new AbortController();
  const running = reflector.run(stop.signal);
  const same = () => {
    const values = (list: Iterable<Widget>) =>
      [...list].map(({ metadata, spec }) => `${metadata.name} ${metadata.uid} ${spec?.value}`).sort();
    assert.deepEqual(values(store.list()), values(server.objects.values()));
    assert.deepEqual(values(mirror.values()), values(server.objects.values()));
    assert.deepEqual(wrong, []);
  };
  const end = async () => {
    stop.abort();
    await clock.advance(0);
    await running;
    assert.equal(clock.pending, 0, "timers are left behind");
  };
  return { server, clock, store, reflector, lines, ended, recovered, same, end };
}
