import assert from "node:assert/strict";
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AuditLog } from "../../../bench/audit";
import { total, writes } from "../../../bench/auditTail";

const entry = (username: string, verb: string, resource: string, more: object = {}) =>
  `${JSON.stringify({
    ...{ stage: "ResponseComplete", verb, user: { username }, responseStatus: { code: 200 } },
    objectRef: { resource, name: "a" },
    ...more,
  })}\n`;

describe("bench: audit log", () => {
  let dir: string;
  let file: string;
  let log: AuditLog;

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), "bench-audit-"));
    file = join(dir, "audit.log");
    writeFileSync(file, "");
    log = new AuditLog(file, "ours");
  });

  afterEach(() => {
    log.close();
    rmSync(dir, { recursive: true });
  });

  it("counts a user's requests since a mark, by verb, resource and failure; others' and the lease's are not counted", () => {
    appendFileSync(file, entry("ours", "patch", "services"));
    const mark = log.mark();
    const status = { objectRef: { resource: "memcacheds", subresource: "status", name: "a" } };
    appendFileSync(file, entry("ours", "patch", "deployments") + entry("go", "create", "deployments"));
    appendFileSync(file, entry("ours", "patch", "memcacheds", status) + entry("ours", "update", "leases"));
    appendFileSync(file, entry("ours", "patch", "deployments", { responseStatus: { code: 409 } }));
    assert.deepEqual(log.requests("ours", mark), {
      "patch deployments": 1,
      "patch memcacheds/status": 1,
      "patch deployments 409": 1,
    });
  });

  it("counts a watch once, when it opens", () => {
    const mark = log.mark();
    appendFileSync(file, entry("ours", "watch", "pods", { stage: "ResponseStarted" }) + entry("ours", "watch", "pods"));
    const requests = log.requests("ours", mark);
    assert.deepEqual(requests, { "watch pods": 1 });
    assert.equal(total(writes(requests)), 0);
  });

  it("leaves out an object by name, and a line that is not whole yet", () => {
    const mark = log.mark();
    const other = { objectRef: { resource: "services", name: "b" } };
    appendFileSync(file, entry("ours", "patch", "services") + entry("ours", "patch", "services", other));
    appendFileSync(file, entry("ours", "patch", "services").slice(0, 40));
    assert.deepEqual(log.requests("ours", mark, "a"), { "patch services": 1 });
  });
});
