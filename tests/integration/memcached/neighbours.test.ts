import assert from "node:assert/strict";
import { until } from "../../support/until";
import { Lab } from "./lab";

describe("Memcacheds beside each other", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  it("never count each other's pods, nor a stranger's with all their labels (openstack-k8s-operators/infra-operator#52)", async () => {
    const spec = { containers: [{ name: "c", image: "example.com/x:1" }], automountServiceAccountToken: false };
    await lab.create("a", { size: 2 });
    await lab.create("a-b", { size: 1 });
    await lab.makeReady("a", 2);
    await lab.makeReady("a-b", 1);
    const { labels } = (await lab.pods("a"))[0]?.metadata ?? {};
    await lab.server.client.json("POST", lab.core("pods"), {
      apiVersion: "v1",
      kind: "Pod",
      metadata: { name: "a-stranger", labels: { ...labels, "pod-template-hash": "none" } },
      spec,
    });
    await lab.awaitCondition("a", "Ready", "True");
    await lab.awaitCondition("a-b", "Ready", "True");
    // Another change of the resource is handled after the stranger has come.
    await lab.patch(lab.server.at("v1", "a"), { spec: { size: 3 } });
    await until("the third server to be ready and named", 15_000, async () => {
      await lab.readyPods("a");
      const { readyReplicas, nodes } = await lab.status("a");
      return readyReplicas === 3 && nodes?.length === 3;
    });
    const [a, b] = [await lab.status("a"), await lab.status("a-b")];
    assert.ok(
      a.nodes?.every((node) => /^a-[0-9a-f]+-\w{5}$/.test(node)),
      String(a.nodes),
    );
    assert.deepEqual([b.readyReplicas, b.nodes?.length, b.nodes?.[0]?.startsWith("a-b-")], [1, 1, true]);
    assert.notEqual(a.selector, b.selector);
  });
});
