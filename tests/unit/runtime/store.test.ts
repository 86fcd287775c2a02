import assert from "node:assert/strict";
import { ObjectStore } from "../../../operator/runtime/cache/store";
import type { StoreEvent, StoreOptions } from "../../../operator/runtime";
import { recordingLog } from "./support/log";
import type { Widget } from "./support/objects";
import { widget, widgets } from "./support/objects";

function setup(options: StoreOptions<Widget> = {}, scopes = [""]) {
  const { log, lines } = recordingLog();
  const store = new ObjectStore<Widget>(widgets, scopes, log, options);
  const seen: string[] = [];
  const events: StoreEvent<Widget>[] = [];
  store.subscribe((event) => {
    const { uid, resourceVersion } = event.object.metadata;
    events.push(event);
    seen.push(`${event.type} ${uid}@${resourceVersion}`);
  });
  return { store, seen, events, lines };
}

const at = (name: string) => ({ namespace: "ns", name });

describe("ObjectStore", () => {
  it("tells of changes in order, with the state before", () => {
    const { store, seen, events } = setup();
    store.replace("", [widget("a", 1)], "1");
    store.change({ type: "MODIFIED", object: widget("a", 2, { value: 7 }) });
    store.change({ type: "DELETED", object: widget("a", 3) });
    assert.deepEqual(seen, ["added uid-a@1", "updated uid-a@2", "deleted uid-a@3"]);
    assert.equal(events[0]?.initial, true);
    assert.equal(events[1]?.old?.metadata.resourceVersion, "1");
    assert.equal(events[1]?.initial, false);
  });

  it("kubernetes-client/javascript#379: says nothing of objects that a relist brings unchanged", () => {
    const { store, seen } = setup();
    store.replace("", [widget("a", 1), widget("b", 2)], "2");
    store.replace("", [widget("a", 1), widget("b", 2)], "9");
    store.change({ type: "ADDED", object: widget("b", 2) });
    assert.deepEqual(seen, ["added uid-a@1", "added uid-b@2"]);
  });

  it("tells of deletes missed while disconnected, and of an object made anew under the same name as both", () => {
    const { store, seen } = setup();
    store.replace("", [widget("a", 1), widget("b", 2)], "2");
    store.replace("", [widget("a", 8, { uid: "uid-a2" })], "9");
    assert.deepEqual(seen.slice(2), ["deleted uid-b@2", "deleted uid-a@1", "added uid-a2@8"]);
    store.change({ type: "MODIFIED", object: widget("a", 10, { uid: "uid-a3" }) });
    assert.deepEqual(seen.slice(5), ["deleted uid-a2@8", "added uid-a3@10"]);
  });

  it("kubernetes-sigs/controller-runtime#1622: shows our own write at once, and older events do not undo it", () => {
    const { store, seen } = setup();
    store.replace("", [widget("a", 5)], "5");
    store.observe(widget("a", 10, { value: 2 }));
    store.change({ type: "MODIFIED", object: widget("a", 7, { value: 1 }) });
    assert.equal(store.get(at("a"))?.spec?.value, 2);
    store.change({ type: "MODIFIED", object: widget("a", 10, { value: 2 }) });
    store.change({ type: "MODIFIED", object: widget("a", 11, { value: 3 }) });
    assert.deepEqual(seen, ["added uid-a@5", "updated uid-a@10", "updated uid-a@11"]);
  });

  it("does not bring back what was deleted while the answer to our write was under way", () => {
    const { store, seen } = setup();
    store.replace("", [], "1");
    store.change({ type: "ADDED", object: widget("a", 2) });
    store.change({ type: "DELETED", object: widget("a", 3) });
    store.observe(widget("a", 2));
    assert.equal(store.get(at("a")), undefined);
    store.reach("", "9");
    store.observe(widget("b", 8));
    assert.equal(store.get(at("b")), undefined);
    assert.deepEqual(seen.slice(2), ["answered uid-a@2", "answered uid-b@8"]);
  });

  it("compares resourceVersions as numbers", () => {
    const { store } = setup();
    store.replace("", [widget("a", 999, { value: 1 })], "999");
    store.observe(widget("a", 1000, { value: 2 }));
    assert.equal(store.get(at("a"))?.spec?.value, 2);
    store.observe(widget("a", 999, { value: 1 }));
    assert.equal(store.get(at("a"))?.spec?.value, 2);
  });

  it("keeps a child of our own that a list taken earlier does not hold yet", () => {
    const { store } = setup();
    store.replace("", [], "5");
    store.observe(widget("new", 8));
    store.replace("", [], "6");
    assert.ok(store.get(at("new")));
    store.replace("", [], "9");
    assert.equal(store.get(at("new")), undefined);
  });

  it("hides what we deleted from late events, and lets a new object of that name in", () => {
    const { store, seen } = setup();
    store.replace("", [widget("a", 1)], "1");
    store.observeDeleted(at("a"), "uid-a");
    store.change({ type: "MODIFIED", object: widget("a", 2) });
    store.replace("", [widget("a", 2)], "2");
    assert.equal(store.get(at("a")), undefined);
    store.observe(widget("a", 5, { uid: "uid-a2" }));
    store.change({ type: "DELETED", object: widget("a", 3) });
    assert.equal(store.get(at("a"))?.metadata.uid, "uid-a2");
    assert.deepEqual(seen, ["added uid-a@1", "deleted uid-a@1", "added uid-a2@5"]);
  });

  it("leaves out writes that its selector or its namespaces do not cover", () => {
    const { store } = setup({ labelSelector: "app=x" }, ["ns"]);
    store.observe(widget("a", 1));
    store.observe(widget("b", 1, { labels: { app: "x" } }));
    const elsewhere = widget("c", 1, { labels: { app: "x" } });
    store.observe({ ...elsewhere, metadata: { ...elsewhere.metadata, namespace: "other" } });
    assert.deepEqual(
      store.list().map((object) => object.metadata.name),
      ["b"],
    );
  });

  it("is synced once every namespace is listed, and a list of one leaves the others alone", () => {
    const { store } = setup({}, ["ns", "other"]);
    const told: boolean[] = [];
    store.onSynced(() => told.push(store.synced));
    store.replace("ns", [widget("a", 1)], "1");
    assert.deepEqual([store.synced, store.syncedIn("ns"), store.syncedIn("other")], [false, true, false]);
    // A namespace that is not followed: nothing in the store is of it, but what is may be asked for.
    assert.equal(store.syncedIn("elsewhere"), false);
    store.replace("other", [], "2");
    assert.deepEqual([store.synced, store.syncedIn("other"), store.syncedIn("elsewhere")], [true, true, true]);
    store.replace("ns", [widget("a", 1)], "3");
    assert.deepEqual(told, [false, true]);
    assert.equal(store.list().length, 1);
  });

  it("finds by index what is there now", () => {
    const { store } = setup({ indices: { value: (object) => [String(object.spec?.value)] } });
    store.replace("", [widget("a", 1, { value: 1 }), widget("b", 2, { value: 1 })], "2");
    store.change({ type: "MODIFIED", object: widget("a", 3, { value: 2 }) });
    store.change({ type: "DELETED", object: widget("b", 4, { value: 1 }) });
    assert.deepEqual(store.byIndex("value", "1"), []);
    assert.equal(store.byIndex("value", "2")[0]?.metadata.name, "a");
    assert.throws(() => store.byIndex("other", "1"), /no index "other"/);
  });

  it("kubernetes-client/javascript#856: a handler, index or transform that throws is logged and harms no other", () => {
    const fail = (object: Widget) => {
      if (object.metadata.name === "bad") throw new Error("boom");
    };
    const { store, seen, lines } = setup({
      transform: (object) => {
        fail(object as Widget);
        return object as Widget;
      },
      indices: {
        any: (object) => {
          fail(object);
          return ["x"];
        },
      },
    });
    store.subscribe((event) => fail(event.object));
    store.replace("", [widget("bad", 1), widget("good", 2)], "2");
    assert.deepEqual(seen, ["added uid-bad@1", "added uid-good@2"]);
    assert.deepEqual(store.byIndex("any", "x").length, 1);
    assert.ok(lines.every((line) => line.level === "error" && line.name === "bad"));
    assert.equal(lines.length, 3);
  });
});
