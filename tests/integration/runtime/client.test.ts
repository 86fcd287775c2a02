import assert from "node:assert/strict";
import { HttpClient, Transport, loadConfig } from "../../../operator/runtime";
import type { KubeObject, ResourceType } from "../../../operator/runtime";
import type { ControlPlane } from "../../support/controlPlane";
import { controlPlane } from "../../support/controlPlane";
import { deleteNamespace, newNamespace } from "../../support/namespace";
import { configMap, configMaps } from "./harness";
import type { ConfigMap } from "./harness";

const deployments: ResourceType = {
  group: "apps",
  version: "v1",
  plural: "deployments",
  kind: "Deployment",
  namespaced: true,
};

describe("the client and a real API server", () => {
  let cp: ControlPlane;
  let namespace: string;
  let transport: Transport;
  let client: HttpClient;

  before(async function () {
    this.timeout(90_000);
    cp = await controlPlane();
    transport = new Transport({ config: await loadConfig({ kubeconfig: cp.kubeconfig }), userAgent: "test" });
    client = new HttpClient(transport);
  });
  after(() => transport?.close());
  beforeEach(async () => {
    namespace = await newNamespace(cp);
  });
  afterEach(() => deleteNamespace(cp, namespace));

  const key = (name: string) => ({ namespace, name });
  const apply = (data: Record<string, string>, fieldManager: string, force = false) =>
    client.apply<ConfigMap>(configMaps, configMap(namespace, "a", data), { fieldManager, force });

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
    await client.delete(configMaps, key("a"), { uid: metadata.uid });
    await apply({}, "first");
    await assert.rejects(client.delete(configMaps, key("a"), { uid: metadata.uid }), { code: 409, reason: "Conflict" });
    await assert.rejects(client.delete(configMaps, key("b")), { code: 404, reason: "NotFound" });
  });

  it("says whether a deleted object lives on for its finalizers", async () => {
    const object = configMap(namespace, "a");
    object.metadata.finalizers = ["example.com/hold"];
    await client.create(configMaps, object);
    assert.ok((await client.delete(configMaps, key("a")))?.metadata.deletionTimestamp);
    await client.patch(configMaps, key("a"), { metadata: { finalizers: null } });
    await assert.rejects(client.get(configMaps, key("a")), { code: 404 });
  });

  it("operator-sdk#3968: writes status whatever else has changed meanwhile", async () => {
    const labels = { app: "x" };
    const template = { metadata: { labels }, spec: { containers: [{ name: "c", image: "i" }] } };
    const deployment = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "d", namespace },
      spec: { replicas: 0, selector: { matchLabels: labels }, template },
    };
    await client.create(deployments, deployment);
    await client.patch(deployments, key("d"), { metadata: { labels: { changed: "yes" } } });
    const status = { conditions: [{ type: "Custom", status: "True", reason: "Test", message: "m" }] };
    const answer = await client.patchStatus<KubeObject & { status: typeof status }>(deployments, key("d"), status);
    assert.equal(answer.status.conditions[0]?.type, "Custom");
    assert.equal(answer.metadata.labels?.changed, "yes");
  });

  it("joins the pages of a list, and selects", async () => {
    for (let i = 0; i < 7; i++) {
      const object = configMap(namespace, `c-${i}`);
      object.metadata.labels = { odd: String(i % 2) };
      await client.create(configMaps, object);
    }
    const all = await client.list<ConfigMap>(configMaps, { namespace, limit: 3 });
    assert.equal(all.items.filter((item) => item.metadata.name.startsWith("c-")).length, 7);
    assert.ok(all.items.every((item) => item.kind === "ConfigMap" && item.apiVersion === "v1"));
    assert.match(all.resourceVersion, /^\d+$/);
    const odd = await client.list(configMaps, { namespace, labelSelector: "odd=1", limit: 2 });
    assert.deepEqual(
      odd.items.map((item) => item.metadata.name),
      ["c-1", "c-3", "c-5"],
    );
  });

  it("passes on the server's own sentences", async () => {
    await assert.rejects(
      client.create(configMaps, configMap(namespace, "Not_A_Name")),
      (error: { code: number; message: string }) => {
        return error.code === 422 && error.message.includes("metadata.name: Invalid value");
      },
    );
    await assert.rejects(client.create(configMaps, configMap("no-such-namespace", "a")), { code: 404 });
  });

  it("knows which API groups are served", async () => {
    assert.equal(await client.served("apps"), true);
    assert.equal(await client.served(""), true);
    assert.equal(await client.served("security.openshift.io"), false);
  });
});
