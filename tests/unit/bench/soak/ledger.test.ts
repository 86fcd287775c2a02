import assert from "node:assert/strict";
import type { AuditEntry } from "../../../../bench/auditTail";
import { Ledger, micros } from "../../../../bench/soak/ledger";

const at = (ms: number) => new Date(Date.UTC(2026, 0, 2) + ms).toISOString().replace("Z", "000Z");

function entry(user: string, verb: string, path: string, ms: number, more: { tookMs?: number; code?: number } = {}) {
  const [resource, namespace, name, subresource] = path.split("/");
  return {
    stage: "ResponseComplete",
    verb,
    user: { username: `system:serviceaccount:soak-system:${user}` },
    objectRef: { resource, namespace, name, subresource },
    responseStatus: { code: more.code ?? 200 },
    requestReceivedTimestamp: at(ms),
    stageTimestamp: at(ms + (more.tookMs ?? 1)),
  } satisfies AuditEntry;
}

const lease = (user: string, ms: number, more = {}) => entry(user, "update", "leases/soak-system/soak", ms, more);
const write = (user: string, ms: number) => entry(user, "patch", "deployments/soak-1/cache-1", ms);

function ledgerOf(...entries: AuditEntry[]): Ledger {
  const ledger = new Ledger();
  entries.forEach(ledger.take);
  return ledger;
}

describe("soak: ledger", () => {
  it("allows the writes of whoever holds the lease, before and after a change of hands", () => {
    const ledger = ledgerOf(lease("a", 0), write("a", 10), lease("a", 2000), write("a", 3000), lease("b", 20_000));
    [write("b", 20_010), lease("a", 40_000), write("a", 40_010)].forEach(ledger.take);
    assert.deepEqual(ledger.strangers(), []);
    assert.equal(ledger.leader, "system:serviceaccount:soak-system:a");
    assert.equal(ledger.holds.length, 3);
  });

  it("names a write of a process after another has taken the lease, and one without any lease", () => {
    const ledger = ledgerOf(write("b", 1), lease("a", 10), lease("b", 20_000), write("a", 20_500));
    assert.deepEqual(ledger.strangers(), [
      "b wrote (patch deployments soak-1/cache-1) without the lease, at 2026-01-02T00:00:00.001Z",
      "a wrote (patch deployments soak-1/cache-1) 499.0 ms after b had taken the lease, at 2026-01-02T00:00:20.500Z",
    ]);
  });

  it("does not blame a new leader whose write is in the log before the answer that made it one", () => {
    const ledger = ledgerOf(lease("a", 0), write("b", 20_002), lease("b", 20_000, { tookMs: 5 }));
    assert.deepEqual(ledger.strangers(), []);
  });

  it("takes no refused claim for a change of hands", () => {
    const ledger = ledgerOf(lease("a", 0), lease("b", 20, { code: 409 }), write("a", 30));
    assert.deepEqual(ledger.strangers(), []);
  });

  it("counts writes by resource, events under the resource they are about, and reads apart", () => {
    const ledger = ledgerOf(lease("a", 0), write("a", 1), entry("a", "create", "events/soak-1/cache-1.5f0c", 2));
    ledger.take(entry("a", "patch", "services/soak-1/cache-1", 3, { code: 422 }));
    ledger.take(entry("a", "get", "memcacheds/soak-1/cache-1", 4));
    assert.equal(ledger.writesOf.get("soak-1/cache-1"), 3);
    assert.equal(ledger.writes, 3);
    assert.deepEqual(ledger.requests, {
      "patch deployments": 1,
      "create events": 1,
      "patch services 422": 1,
      "get memcacheds": 1,
    });
  });

  it("reads timestamps to the microsecond", () => {
    assert.equal(micros("1970-01-01T00:00:01.000002Z"), 1_000_002);
    assert.equal(micros("1970-01-01T00:00:01Z"), 1_000_000);
  });
});
