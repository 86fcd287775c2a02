import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { Lab } from "./lab";

const refusedWords =
  /exceeded quota: pods.*: set spec\.rollout\.maxSurge to 0 and spec\.rollout\.maxUnavailable to 1, or raise the quota$/;

describe("a rollout in a namespace with a quota of exactly its pods", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => {
    lab = await Lab.open();
    await lab.server.client.json("POST", lab.core("resourcequotas"), {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: { name: "pods" },
      spec: { hard: { pods: "3" } },
    });
    await lab.awaits<KubeObject & { status?: { hard?: object } }>(
      "the quota to be counted",
      lab.core("resourcequotas", "pods"),
      ({ status }) => status?.hard,
    );
  });
  afterEach(() => lab.stop());

  const change = (name: string, spec: object) => lab.patch(lab.server.at("v1", name), { spec });
  const uids = async (name: string) => (await lab.pods(name)).map(({ metadata }) => metadata.uid);

  /** Plays the kubelet, which ends pods that are to go, until all pods are others and ready. */
  async function passesThrough(name: string, before: unknown[]): Promise<void> {
    await lab.becomesReady(name, 3);
    assert.equal((await uids(name)).filter((uid) => before.includes(uid)).length, 0);
  }

  it("kubernetes/kubernetes#116891: says within seconds what to set, and gets through once it is set", async () => {
    await lab.create("packed", { size: 3 });
    await lab.becomesReady("packed", 3);
    const before = await uids("packed");
    await change("packed", { verbosity: 2 });
    const { message } = await lab.awaitCondition("packed", "Degraded", "True", "ReplicaFailure");
    assert.match(message, refusedWords);
    assert.equal((await lab.awaitCondition("packed", "Available", "True")).status, "True");
    await change("packed", { rollout: { maxSurge: 0, maxUnavailable: 1 } });
    await passesThrough("packed", before);
    await lab.awaitCondition("packed", "Degraded", "False");
  });

  for (const [name, spec] of [
    ["stateful", { workload: "StatefulSet" }],
    ["careful", { rollout: { maxSurge: 0, maxUnavailable: 1 } }],
  ] as const)
    it(`zalando/postgres-operator#1600: a change just gets through with ${JSON.stringify(spec)}`, async () => {
      await lab.create(name, { size: 3, ...spec });
      await lab.becomesReady(name, 3);
      const before = await uids(name);
      await change(name, { verbosity: 2 });
      await lab.awaitCondition(name, "Ready", "False");
      await passesThrough(name, before);
    });

  it("a cache that has never had its servers up is told the quota's words alone", async () => {
    await lab.create("large", { size: 4 });
    const { message } = await lab.awaitCondition("large", "Degraded", "True", "ReplicaFailure");
    assert.match(message, /exceeded quota: pods/);
    assert.doesNotMatch(message, /spec\.rollout/);
  });
});
