import assert from "node:assert/strict";
import type { V1ResourceRequirements } from "@kubernetes/client-node";
import type { MemcachedSpec } from "../../../api";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab } from "./lab";

interface Pod extends KubeObject {
  spec: { containers: { resources: V1ResourceRequirements }[] };
}

describe("resources beside what a namespace asks for", function () {
  this.timeout(60_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  /** What the pod of a new cache has, after admission. */
  const admitted = async (name: string, spec: MemcachedSpec): Promise<V1ResourceRequirements> => {
    await lab.create(name, { size: 1, ...spec });
    const [pod] = await until(`a pod of ${name}`, 15_000, async () => {
      const pods = (await lab.pods(name)) as unknown as Pod[];
      return pods.length > 0 && pods;
    });
    return pod!.spec.containers[0]!.resources;
  };

  const make = (resource: string, kind: string, spec: object) =>
    lab.server.client.json("POST", lab.core(resource), {
      apiVersion: "v1",
      kind,
      metadata: { name: "given" },
      spec,
    });

  it("red-hat-storage/ocs-operator#3453: a quota of limits takes a cache that says the CPU limit alone", async () => {
    await make("resourcequotas", "ResourceQuota", { hard: { "limits.memory": "4Gi", "limits.cpu": "8" } });
    await lab.awaits<KubeObject & { status?: { hard?: object } }>(
      "the quota to be counted",
      lab.core("resourcequotas", "given"),
      ({ status }) => status?.hard,
    );
    assert.deepEqual(await admitted("bounded", { memory: "1Gi", resources: { limits: { cpu: "1" } } }), {
      requests: { cpu: "1", memory: "1275Mi" },
      limits: { cpu: "1", memory: "1275Mi" },
    });
  });

  it("kubernetes/kubernetes#51430, #112835: a LimitRange's default does not take the place of the derived limit", async () => {
    const limits = [{ type: "Container", default: { memory: "64Mi" }, defaultRequest: { memory: "32Mi" } }];
    await make("limitranges", "LimitRange", { limits });
    assert.deepEqual(await admitted("derived", { resources: { limits: { cpu: "200m" } } }), {
      requests: { cpu: "200m", memory: "155Mi" },
      limits: { cpu: "200m", memory: "155Mi" },
    });
    assert.deepEqual(await admitted("asked", { resources: { requests: { memory: "96Mi" }, limits: { cpu: "20m" } } }), {
      requests: { cpu: "20m", memory: "96Mi" },
      limits: { cpu: "20m", memory: "155Mi" },
    });
    assert.deepEqual(await admitted("limited", { resources: { limits: { memory: "128Mi" } } }), {
      requests: { cpu: "100m", memory: "128Mi" },
      limits: { memory: "128Mi" },
    });
  });
});
