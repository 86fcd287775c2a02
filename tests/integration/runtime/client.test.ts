import assert from "node:assert/strict";
import type { KubeObject, ResourceType } from "../../../operator/runtime";
import { configMap, configMaps } from "./harness";
import type { ConfigMap } from "./harness";
import { useLab } from "./lab";

const deployments: ResourceType = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
};

describe("the client and a real API server", () => {
  const lab = useLab();

  const apply = (data: Record<string, string>, fieldManager: string, force = false) =>
    lab.admin.apply<ConfigMap>(configMaps, configMap(lab.namespace, "a", data), { fieldManager, force });

  it("applies only its own fields, is told of a conflict by the owner's name, and takes over by force", async () => {
    await apply({ one: "1" }, "first");
    assert.deepEqual((await apply({ two: "2" }, "second")).data, { one: "1", two: "2" });
    await assert.rejects(apply({ one: "other" }, "second"), (error: { code: number; message: string }) => {
      return error.code === 409 && error.message.includes('conflict with "first"');
    });
    const taken = await apply({ one: "other" }, "second", true);
    assert.deepEqual(taken.data, { one: "other" });
    assert.ok(!("managedFields" in taken.metadata));
  });

  it("writes an apply that changes nothing without a new resourceVersion", async () => {
    const first = await apply({ one: "1" }, "first");
    assert.equal((await apply({ one: "1" }, "first")).metadata.resourceVersion, first.metadata.resourceVersion);
  });

  it("deletes the object it means, not a later one of that name", async () => {
    const { metadata } = await apply({}, "first");
    await lab.admin.delete(configMaps, lab.key("a"), { uid: metadata.uid });
    await apply({}, "first");
    await assert.rejects(lab.admin.delete(configMaps, lab.key("a"), { uid: metadata.uid }), {
      code: 409,
      reason: "Conflict",
    });
    await assert.rejects(lab.admin.delete(configMaps, lab.key("b")), { code: 404, reason: "NotFound" });
  });

  it("says whether a deleted object lives on for its finalizers", async () => {
    const object = configMap(lab.namespace, "a");
    object.metadata.finalizers = ["example.com/hold"];
    await lab.admin.create(configMaps, object);
    assert.ok((await lab.admin.delete(configMaps, lab.key("a")))?.metadata.deletionTimestamp);
    await lab.admin.patch(configMaps, lab.key("a"), { metadata: { finalizers: null } });
    await assert.rejects(lab.admin.get(configMaps, lab.key("a")), { code: 404 });
  });

  it("operator-framework/operator-sdk#3968: writes status whatever else has changed meanwhile", async () => {
    const labels = { app: "x" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", namespace: lab.namespace },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    };
    await lab.admin.create(deployments, deployment);
    await lab.admin.patch(deployments, lab.key("d"), { metadata: { labels: { changed: "yes" } } });
    const status = { conditions: [{ type: "Custom", status: "True", reason: "Test", message: "m" }] };
    const answer = await lab.admin.patchStatus<KubeObject & { status: typeof status }>(
      deployments,
      lab.key("d"),
      status,
    );
    assert.equal(answer.status.conditions[0]?.type, "Custom");
    assert.equal(answer.metadata.labels?.changed, "yes");
  });

  it("joins the pages of a list, and selects", async () => {
    for (let i = 0; i < 7; i++) {
      const object = configMap(lab.namespace, `c-${i}`);
      object.metadata.labels = { odd: String(i % 2) };
      await lab.admin.create(configMaps, object);
    }
    const all = await lab.admin.list<ConfigMap>(configMaps, { namespace: lab.namespace, limit: 3 });
    assert.equal(all.items.filter((item) => item.metadata.name.startsWith("c-")).length, 7);
    assert.ok(all.items.every((item) => item.kind === "ConfigMap" && item.apiVersion === "v1"));
    assert.match(all.resourceVersion, /^\d+$/);
    const odd = await lab.admin.list(configMaps, { namespace: lab.namespace, labelSelector: "odd=1", limit: 2 });
    assert.deepEqual(
      odd.items.map((item) => item.metadata.name),
      ["c-1", "c-3", "c-5"],
    );
  });

  it("passes on the server's own sentences", async () => {
    await assert.rejects(
      lab.admin.create(configMaps, configMap(lab.namespace, "Not_A_Name")),
      (error: { code: number; message: string }) => {
        return error.code === 422 && error.message.includes("metadata.name: Invalid value");
      },
    );
    await assert.rejects(lab.admin.create(configMaps, configMap("no-such-namespace", "a")), { code: 404 });
  });
});
