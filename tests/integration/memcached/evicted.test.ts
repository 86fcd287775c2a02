import assert from "node:assert/strict";
import { until } from "../../support/until";
import { Lab } from "./lab";

const words = "Pod ephemeral local storage usage exceeds the total limit of containers 1. ";

describe("pods that their node evicts again and again", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const alive = async (name: string) => (await lab.pods(name)).find(({ status }) => status?.phase !== "Failed");
  /** Plays the kubelet; gives once another pod is in its place. */
  const evict = async (name: string) => {
    const pod = await until(`a pod of ${name}`, 15_000, () => alive(name));
    const lastTransitionTime = new Date().toISOString();
    const conditions = ["Ready", "DisruptionTarget"].map((type) => ({ type, status: "False", lastTransitionTime }));
    const status = { phase: "Failed", reason: "Evicted", message: words, conditions };
    await lab.patch(`${lab.core("pods", pod.metadata.name)}/status`, { status });
    await until("another pod in its place", 20_000, async () => {
      const next = await alive(name);
      return next && next.metadata.uid !== pod.metadata.uid;
    });
  };

  for (const workload of ["Deployment", "StatefulSet"] as const)
    it(`make a ${workload} degraded in the kubelet's words, also while one is ready, until that is mended`, async () => {
      await lab.create("small", { size: 1, workload, resources: { limits: { "ephemeral-storage": 1 } } });
      await lab.becomesReady("small", 1);
      await evict("small");
      assert.equal((await lab.awaitCondition("small", "Degraded", "False")).message, "No problems");
      await evict("small");
      const degraded = await lab.awaitCondition("small", "Degraded", "True", "Evicted");
      assert.equal(degraded.message, `pods fail repeatedly: Evicted: ${words.trim()}`);
      const pod = await until("a pod", 15_000, () => alive("small"));
      await lab.setContainer(pod.metadata.name, { state: { running: {} } }, true);
      await lab.awaitCondition("small", "Available", "True");
      assert.equal((await lab.awaitCondition("small", "Ready", "False", "Evicted")).message, degraded.message);
      assert.equal((await lab.status("small")).nodes?.length, 1);

      await lab.patch(lab.server.at("v1", "small"), { spec: { resources: null } });
      await lab.becomesReady("small");
      await lab.awaitCondition("small", "Degraded", "False");
    });

  it("are no longer held against it five minutes later", async () => {
    await lab.create("once", { size: 1 });
    await lab.makeReady("once", 1);
    await evict("once");
    await evict("once");
    await lab.awaitCondition("once", "Degraded", "True", "Evicted");
    const pod = await until("a pod", 15_000, () => alive("once"));
    await lab.setContainer(pod.metadata.name, { state: { running: {} } }, true);
    await lab.awaitCondition("once", "Available", "True");
    await lab.stop();
    await lab.start({}, 295_000);
    await lab.awaitCondition("once", "Ready", "True");
    await lab.awaitCondition("once", "Degraded", "False");
  });
});
