import assert from "node:assert/strict";
import { ApiError, TransportError } from "../../../operator/runtime";
import { ApiEventRecorder } from "../../../operator/runtime/events/recorder";
import { FakeClock, settle } from "./support/fakeClock";
import { fakeClient } from "./support/fakeClient";
import { recordingLog } from "./support/log";
import { widget } from "./support/objects";

interface Sent {
  note: string;
  metadata: { name: string; namespace: string };
  regarding: { uid: string; kind: string };
}

function setup(fail: () => Error | undefined = () => undefined) {
  const clock = new FakeClock();
  const created: Sent[] = [];
  const patched: { series: { count: number } }[] = [];
  const attempt = () => {
    const error = fail();
    return error ? Promise.reject(error) : Promise.resolve({});
  };
  const client = fakeClient({
    create: (_type: unknown, body: Sent) => attempt().then(() => created.push(body)),
    patch: (_type: unknown, _key: unknown, body: { series: { count: number } }) =>
      attempt().then(() => patched.push(body)),
  });
  const { log } = recordingLog();
  const recorder = new ApiEventRecorder({ client, reportingController: "op", reportingInstance: "op-1", log, clock });
  const warn = (note: string, name = "a") => recorder.event(widget(name, 1), "Warning", "Failed", "Reconcile", note);
  return { clock, created, patched, recorder, warn };
}

describe("ApiEventRecorder", () => {
  it("names the object, its uid and who reports", async () => {
    const { created, warn } = setup();
    warn("exceeded quota");
    await settle();
    const [event] = created;
    assert.equal(event?.regarding.uid, "uid-a");
    assert.equal(event?.regarding.kind, "Widget");
    assert.equal(event?.metadata.namespace, "ns");
    assert.match(event?.metadata.name ?? "", /^a\.[0-9a-f]{16}$/);
  });

  it("makes one event and one series of a thousand repeats", async () => {
    const { clock, created, patched, warn } = setup();
    for (let i = 0; i < 1_000; i++) warn("exceeded quota");
    await settle();
    assert.equal(created.length, 1);
    assert.deepEqual(
      patched.map(({ series }) => series.count),
      [2],
    );
    // The count is brought up to date when the series is over.
    await clock.advance(400_000);
    warn("something else");
    await settle();
    assert.deepEqual(
      patched.map(({ series }) => series.count),
      [2, 1_000],
    );
  });

  it("lets 25 different notes of one object through and then one in five minutes, others unharmed", async () => {
    const { clock, created, warn } = setup();
    for (let i = 0; i < 100; i++) warn(`note ${i}`);
    warn("other", "b");
    await settle();
    assert.equal(created.filter((event) => event.regarding.uid === "uid-a").length, 25);
    assert.equal(created.filter((event) => event.regarding.uid === "uid-b").length, 1);
    await clock.advance(300_000);
    warn("later");
    await settle();
    assert.equal(created.length, 27);
  });

  it("drops what the server refuses, and waits for one that does not answer", async () => {
    const errors: (Error | undefined)[] = [
      new ApiError(403, "Forbidden", "namespace is terminating"),
      new TransportError("ECONNREFUSED", "refused"),
    ];
    const { clock, created, warn } = setup(() => errors.shift());
    warn("refused");
    warn("unanswered");
    await settle();
    assert.equal(created.length, 0);
    await clock.advance(11_000);
    assert.deepEqual(
      created.map((event) => event.note),
      ["unanswered"],
    );
  });

  it("keeps a note within 1024 bytes without breaking a character", async () => {
    const { created, warn } = setup();
    warn("é".repeat(2_000));
    await settle();
    const note = created[0]?.note ?? "";
    assert.ok(Buffer.byteLength(note) <= 1024 && note.endsWith("é…"));
  });

  it("never throws and never queues without bound", async () => {
    const { recorder, clock, created, warn } = setup(() => new TransportError("ECONNREFUSED", "refused"));
    recorder.event({} as never, "Warning", "Failed", "Reconcile", "no metadata");
    for (let i = 0; i < 3_000; i++) warn("note", `object-${i}`);
    const flushed = recorder.flush(1_000);
    await clock.advance(1_000);
    await flushed;
    assert.equal(created.length, 0);
  });
});
