import assert from "node:assert/strict";
import { ownedByApply } from "../../../operator/runtime/http/fieldOwnership";

describe("what a manager owns", () => {
  const entry = (manager: string, operation: string, fieldsV1: object, more: object = {}) => ({
    ...{ manager, operation, apiVersion: "apps/v1", fieldsType: "FieldsV1", fieldsV1: fieldsV1 as never },
    ...more,
  });

  it("by create and patch becomes its own by apply, with what it has applied before", () => {
    const theirs = entry("kubectl", "Update", { "f:spec": { "f:paused": {} } });
    const entries = [
      entry("us", "Apply", { "f:spec": { "f:replicas": {} } }),
      theirs,
      entry("us", "Update", { "f:spec": { "f:template": { "f:a": {} } } }),
      entry("us", "Update", { "f:spec": { "f:template": { "f:b": {} } } }, { time: "2026-01-01T00:00:00Z" }),
    ];
    const fields = { "f:spec": { "f:replicas": {}, "f:template": { "f:a": {}, "f:b": {} } } };
    assert.deepEqual(ownedByApply(entries, "us"), [
      theirs,
      entry("us", "Apply", fields, { time: "2026-01-01T00:00:00Z" }),
    ]);
  });

  it("is left alone when there is nothing to turn, or only a subresource's", () => {
    const entries = [entry("us", "Apply", {}), entry("us", "Update", {}, { subresource: "status" })];
    assert.equal(ownedByApply(entries, "us"), undefined);
    assert.equal(ownedByApply([], "us"), undefined);
  });
});
