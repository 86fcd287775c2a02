import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { Lab, brief } from "./lab";

interface Service extends KubeObject {
  spec: { ports: [{ name: string; port: number; targetPort: number | string; appProtocol?: string }] };
}

describe("the Service's ports", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  it("come back when someone has renumbered them, and the resource is not broken", async () => {
    await lab.create("renumbered", { size: 0 });
    const path = lab.core("services", "renumbered");
    const before = await lab.awaits<Service>("the Service", path, () => true);
    await lab.patch(path, {
      metadata: { annotations: { "example.com/of-others": "stays" } },
      spec: { ports: [{ name: "memcached", port: 4711, targetPort: 4711, protocol: "TCP" }] },
    });
    const after = await lab.awaits<Service>("the port to come back", path, ({ spec }) => spec.ports[0]?.port === 11211);
    assert.deepEqual(after.spec.ports, before.spec.ports);
    assert.equal(after.metadata.uid, before.metadata.uid);
    assert.equal(after.metadata.annotations?.["example.com/of-others"], "stays");
    await lab.awaitCondition("renumbered", "Degraded", "False");
  });

  it("percona/percona-server-mysql-operator#621: are told to meshes as tcp, and a Service of before gets that in place", async () => {
    await lab.create("meshed", { size: 1 });
    await lab.becomesReady("meshed", 1);
    const path = lab.core("services", "meshed");
    const before = await lab.awaits<Service>("the Service", path, ({ spec }) => spec.ports[0]?.appProtocol === "tcp");
    await lab.stop();
    const annotations = { "cache.example.com/applied-hash": "of-before" };
    await lab.patch(path, {
      metadata: { annotations },
      spec: { ports: [{ ...before.spec.ports[0], appProtocol: undefined }] },
    });
    const since = lab.requests().length;
    await lab.start();
    const after = await lab.awaits<Service>("the Service", path, ({ spec }) => spec.ports[0]?.appProtocol === "tcp");
    assert.deepEqual([after.metadata.uid, after.spec], [before.metadata.uid, before.spec]);
    await lab.awaitCondition("meshed", "Ready", "True");
    const writes = brief(lab.requests().slice(since)).filter((line) =>
      /^(create|patch|update|delete) .*s\/meshed$/.test(line),
    );
    assert.deepEqual(new Set(writes), new Set(["patch services/meshed"]));
  });

  it("make way for another port of the resource", async () => {
    await lab.create("moved", { size: 0, port: 11300 });
    const path = lab.core("services", "moved");
    await lab.awaits<Service>("the Service", path, ({ spec }) => spec.ports[0]?.port === 11300);
    await lab.patch(lab.server.at("v1", "moved"), { spec: { port: 11301 } });
    const { spec } = await lab.awaits<Service>("the new port", path, ({ spec }) => spec.ports[0]?.port === 11301);
    assert.equal(spec.ports.length, 1);
  });
});
