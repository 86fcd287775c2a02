import assert from "node:assert/strict";
import type { V1ServiceSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { Lab } from "./lab";

interface Service extends KubeObject {
  spec: V1ServiceSpec;
}

describe("the Service's fields", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  const awaits = (name: string, wanted: (service: Service) => unknown) =>
    lab.awaits<Service>(`the Service ${name}`, lab.core("services", name), wanted);
  const change = (name: string, service: object | null) => lab.patch(lab.server.at("v1", name), { spec: { service } });

  it("bitnami/charts#6542: an address inside the cluster stays while servers come and go, and makes the Service anew", async () => {
    await lab.create("addressed", { size: 1, service: { headless: false } });
    await lab.becomesReady("addressed", 1);
    const { metadata, spec } = await awaits("addressed", () => true);
    assert.deepEqual([spec.type, spec.publishNotReadyAddresses], ["ClusterIP", undefined]);
    assert.match(spec.clusterIP ?? "", /^10\./);
    await lab.delete(lab.core("pods", (await lab.pods("addressed"))[0]!.metadata.name));
    await lab.becomesReady("addressed", 1);
    assert.equal((await awaits("addressed", () => true)).spec.clusterIP, spec.clusterIP);
    assert.deepEqual((await lab.status("addressed")).servers, [`addressed.${lab.namespace}.svc.cluster.local:11211`]);

    await change("addressed", null);
    const headless = await awaits("addressed", ({ spec }) => spec.clusterIP === "None");
    assert.notEqual(headless.metadata.uid, metadata.uid);
    await change("addressed", { headless: false });
    await awaits("addressed", ({ spec }) => spec.clusterIP !== "None");
    await lab.awaitCondition("addressed", "Ready", "True");
  });
});
