import assert from "node:assert/strict";
import type { V1ServiceSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { type ControlPlane, newControlPlane } from "../../support/controlPlane";
import { Lab, brief } from "./lab";

interface Service extends KubeObject {
  spec: V1ServiceSpec;
}

describe("a Service in a cluster with IPv4 and IPv6", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let lab: Lab;
  before(async () => {
    plane = await newControlPlane({ serviceCidr: "10.96.0.0/16,fd00:96::/112" });
    lab = await Lab.open(plane);
  });
  after(async () => {
    await lab?.stop();
    await plane?.stop();
  });

  const families = async (name: string, wanted: string[]): Promise<Service> => {
    const path = lab.core("services", name);
    return lab.awaits<Service>(`${name} to have ${wanted.join(", ")}`, path, ({ spec }) => {
      return JSON.stringify(spec.ipFamilies) === JSON.stringify(wanted);
    });
  };
  const change = (name: string, service: object) => lab.patch(lab.server.at("v1", name), { spec: { service } });
  const uidOf = ({ metadata }: KubeObject) => metadata.uid;

  for (const [kind, headless] of [
    ["headless", true],
    ["addressed", false],
  ] as const)
    it(`grafana/grafana-operator#2698: has the families asked for, ${kind}, and is made anew for another first one alone`, async () => {
      await lab.create(kind, { size: 0, service: { headless } });
      const first = await families(kind, ["IPv4"]);
      await change(kind, { ipFamilyPolicy: "PreferDualStack" });
      const both = await families(kind, ["IPv4", "IPv6"]);
      assert.equal(uidOf(both), uidOf(first));
      await change(kind, { ipFamilies: ["IPv6", "IPv4"] });
      const turned = await families(kind, ["IPv6", "IPv4"]);
      assert.notEqual(uidOf(turned), uidOf(both));
      await change(kind, { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6"] });
      const single = await families(kind, ["IPv6"]);
      assert.equal(uidOf(single), uidOf(turned));
      await change(kind, { ipFamilyPolicy: "RequireDualStack", ipFamilies: null });
      // An address keeps its family; where there is none, the cluster's order holds again.
      await families(kind, headless ? ["IPv4", "IPv6"] : ["IPv6", "IPv4"]);
      // Taken out, the Service keeps what it has, and nobody writes to it again.
      await change(kind, { ipFamilyPolicy: null });
      await lab.awaitCondition(kind, "Ready", "True");
      await lab.stop();
      const since = lab.requests().length;
      await lab.start();
      await lab.create(`probe-${kind}`, { size: 0 });
      await lab.awaitCondition(`probe-${kind}`, "Ready", "True");
      await lab.awaitCondition(kind, "Degraded", "False");
      assert.deepEqual(
        brief(lab.requests().slice(since)).filter((line) => line.endsWith(`services/${kind}`)),
        [],
      );
    });
});
