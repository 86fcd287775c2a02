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

  it("helm/charts#16644: a load balancer is made with the ranges that may reach it, which come back with it", async () => {
    const sourceRanges = ["10.0.0.0/8", "2001:db8::/32"];
    const service = { type: "LoadBalancer", sourceRanges, externalTrafficPolicy: "Local" } as const;
    await lab.create("guarded", { size: 0, service });
    const made = await awaits("guarded", () => true);
    assert.deepEqual(made.spec.loadBalancerSourceRanges, sourceRanges);
    assert.equal(made.spec.externalTrafficPolicy, "Local");
    await change("guarded", { type: "NodePort", sourceRanges: null });
    const { spec } = await awaits("guarded", ({ spec }) => spec.type === "NodePort");
    assert.deepEqual([spec.loadBalancerSourceRanges, spec.externalTrafficPolicy], [undefined, "Local"]);
    await change("guarded", null);
    await awaits("guarded", ({ spec }) => spec.clusterIP === "None");
    await change("guarded", service);
    const again = await awaits("guarded", ({ spec }) => spec.type === "LoadBalancer");
    assert.deepEqual(again.spec.loadBalancerSourceRanges, sourceRanges);
    await lab.awaitCondition("guarded", "Degraded", "False");
  });

  it("helm/charts#16644: another class of load balancer makes the Service anew, one that a controller noted does not", async () => {
    await lab.create("classed", { size: 0, service: { type: "LoadBalancer", loadBalancerClass: "example.com/a" } });
    const first = await awaits("classed", ({ spec }) => spec.loadBalancerClass === "example.com/a");
    await change("classed", { loadBalancerClass: "example.com/b" });
    const second = await awaits("classed", ({ spec }) => spec.loadBalancerClass === "example.com/b");
    assert.notEqual(second.metadata.uid, first.metadata.uid);
    await change("classed", { loadBalancerClass: null });
    const third = await awaits("classed", ({ spec }) => spec.loadBalancerClass === undefined);
    assert.notEqual(third.metadata.uid, second.metadata.uid);
    await change("classed", { type: "NodePort" });
    await awaits("classed", ({ spec }) => spec.type === "NodePort");
    await lab.patch(lab.core("services", "classed"), {
      spec: { type: "LoadBalancer", loadBalancerClass: "example.com/theirs" },
    });
    await awaits("classed", ({ spec }) => spec.type === "NodePort");
    await lab.awaitCondition("classed", "Degraded", "False");
    const { metadata } = await awaits("classed", () => true);
    assert.equal(metadata.uid, third.metadata.uid);
  });
});
