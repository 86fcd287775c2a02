import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ObservedWorkload } from "../../../operator/memcached/types";
import type { KubeObject } from "../../../operator/runtime";
import { kubectlOn } from "../api/server";
import { until } from "../../support/until";
import { Lab, brief } from "./lab";

interface Sized extends KubeObject {
  metadata: KubeObject["metadata"] & { managedFields?: { manager?: string; fieldsV1?: object }[] };
  spec: { size?: number; memory?: string };
}

describe("a size that is left out", function () {
  this.timeout(90_000);
  let lab: Lab;
  let folder: string;
  before(async () => {
    lab = await Lab.open();
    folder = mkdtempSync(join(tmpdir(), "memcached-size-"));
    await apply("scaled", { size: 5 }, "--server-side");
    const file = join(folder, "hpa.json");
    writeFileSync(file, JSON.stringify(autoscaler));
    await kubectl("apply", "-f", file);
  });
  after(async () => {
    await lab.stop();
    rmSync(folder, { recursive: true });
  });

  const kubectl = (...args: string[]) => kubectlOn(lab.server, ...args);
  const cache = (name: string) => lab.server.at("v1", name);
  const deployment = (name: string) => lab.apps("deployments", name);
  const sizeOf = (name: string, size: number) =>
    lab.awaits<Sized>(`Memcached ${name} to have size ${size}`, cache(name), ({ spec }) => spec.size === size);

  /** kubectl apply of a manifest with these fields. */
  async function apply(name: string, spec: object, ...flags: string[]): Promise<void> {
    const file = join(folder, `${name}.json`);
    const object = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name }, spec };
    writeFileSync(file, JSON.stringify(object));
    await kubectl("apply", ...flags, "-f", file);
  }

  const uids = async (name: string) => (await lab.pods(name)).map(({ metadata }) => metadata.uid).sort();
  const replicasOf = async (name: string) => (await lab.get<ObservedWorkload>(deployment(name)))?.spec?.replicas;
  /** The operator has acted on the resource as it is now. */
  const settled = (name: string) =>
    until(`the operator to have seen ${name} as it is`, 15_000, async () => {
      const object = await lab.get<Sized & { status?: { observedGeneration?: number } }>(cache(name));
      return object?.spec.size !== undefined && object.status?.observedGeneration === object.metadata.generation;
    });

  for (const flags of [[], ["--server-side"]])
    it(`kubernetes/kubernetes#25238: taken out of the manifest by kubectl apply ${flags.join()} it ends no server`, async () => {
      const name = `handed-${flags.length}`;
      await apply(name, { size: 5, memory: "64Mi" }, ...flags);
      await lab.becomesReady(name, 5);
      const before = await uids(name);
      await apply(name, { memory: "64Mi" }, ...flags);
      await sizeOf(name, 5);
      await settled(name);
      assert.equal(await replicasOf(name), 5);
      assert.deepEqual(await uids(name), before);
      // Whoever writes it next meets no conflict.
      await kubectl("scale", `memcached/${name}`, "--replicas=4");
      await sizeOf(name, 4);
      await apply(name, { memory: "64Mi" }, ...flags);
      await settled(name);
      assert.equal((await lab.get<Sized>(cache(name)))?.spec.size, 4);
    });

  it("is filled in as 1 for a new resource, at two requests, and belongs to nobody", async () => {
    await lab.create("fresh", {});
    await lab.becomesReady("fresh", 1);
    const object = await sizeOf("fresh", 1);
    const owners = object.metadata.managedFields?.filter(({ fieldsV1 }) => JSON.stringify(fieldsV1).includes("f:size"));
    assert.deepEqual(owners, []);
    const scales = brief(lab.requests()).filter((line) => line === "patch memcacheds/fresh/scale");
    assert.equal(scales.length, 2);
    // A size that is given later is no conflict.
    await apply("fresh", { size: 2 }, "--server-side");
    await sizeOf("fresh", 2);
  });

  it("stays what it is while spec.workload changes, and at 0", async () => {
    await lab.create("moved", { size: 3 });
    await lab.becomesReady("moved", 3);
    await lab.patch(cache("moved"), { spec: { size: null, workload: "StatefulSet" } });
    await sizeOf("moved", 3);
    await lab.create("off", { size: 0 });
    await lab.awaits("Deployment off", deployment("off"), ({ spec }) => spec?.replicas === 0);
    await lab.patch(cache("off"), { spec: { size: null } });
    await settled("off");
    assert.equal((await lab.get<Sized>(cache("off")))?.spec.size, 0);
  });

  it("keeps a size above 3 when v1alpha1 takes it out", async () => {
    await lab.create("old", { size: 5 });
    await lab.awaits("Deployment old", deployment("old"), ({ spec }) => spec?.replicas === 5);
    await lab.patch(lab.server.at("v1alpha1", "old"), { spec: { size: null } });
    await settled("old");
    assert.equal((await lab.get<Sized>(cache("old")))?.spec.size, 5);
  });

  it("kubernetes/kubernetes#25238: an autoscaler takes over what was applied with a size, and its own count stays", async () => {
    // The controller manager learns of a new kind every 30 s.
    await until("the autoscaler to act", 60_000, async () => (await lab.get<Sized>(cache("scaled")))?.spec.size === 7);
    // The program wins once more, and is then the field's only owner.
    await apply("scaled", { size: 7 }, "--server-side", "--force-conflicts");
    await lab.becomesReady("scaled", 7);
    const before = await uids("scaled");
    await apply("scaled", {}, "--server-side");
    await settled("scaled");
    assert.equal((await lab.get<Sized>(cache("scaled")))?.spec.size, 7);
    assert.deepEqual(await uids("scaled"), before);
  });
});

/** minReplicas is the count it keeps: there are no metrics here to scale by. */
const autoscaler = {
  apiVersion: "autoscaling/v2",
  kind: "HorizontalPodAutoscaler",
  metadata: { name: "scaled" },
  spec: {
    scaleTargetRef: { apiVersion: "cache.example.com/v1", kind: "Memcached", name: "scaled" },
    minReplicas: 7,
    maxReplicas: 9,
    metrics: [{ type: "Resource", resource: { name: "cpu", target: { type: "Utilization", averageUtilization: 80 } } }],
  },
};
