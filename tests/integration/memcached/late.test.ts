import assert from "node:assert/strict";
import { until } from "../../support/until";
import { Lab, brief } from "./lab";

const deadlineMs = 600_000;

describe("a change that comes no further", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const waiting = { state: { waiting: { reason: "ContainerCreating" } } };
  const aPod = (name: string) =>
    until(`a pod of ${name}`, 15_000, async () => (await lab.pods(name))[0]?.metadata.name);

  for (const workload of ["StatefulSet", "Deployment"] as const)
    it(`makes a ${workload} degraded at its deadline, over a restart of the operator, until it comes further`, async () => {
      await lab.create("late", { size: 1, workload });
      const pod = await aPod("late");
      await lab.setContainer(pod, waiting, false);
      const { lastTransitionTime } = await lab.awaitCondition("late", "Progressing", "True", "RollingOut");
      assert.equal((await lab.awaitCondition("late", "Degraded", "False")).message, "No problems");
      await lab.stop();

      // Three seconds before the deadline: what happens then, happens by itself.
      const made = Date.parse((await lab.pods("late"))[0]?.metadata.creationTimestamp ?? "");
      const begun = Math.max(Date.parse(lastTransitionTime), made);
      const before = lab.requests().length;
      await lab.start({}, begun + deadlineMs - 3_000 - Date.now());
      const degraded = await lab.awaitCondition("late", "Degraded", "True", "ProgressDeadlineExceeded");
      assert.equal(degraded.message, `No progress for 10 minutes. pod ${pod}: it is not ready`);
      await lab.awaitCondition("late", "Progressing", "False", "ProgressDeadlineExceeded");
      assert.equal((await lab.awaitCondition("late", "Ready", "False")).message, degraded.message);
      const since = brief(lab.requests().slice(before)).filter((line) => line.includes("memcacheds/late"));
      assert.deepEqual(since, ["patch memcacheds/late/status"]);

      await lab.becomesReady("late", 1);
      await lab.awaitCondition("late", "Degraded", "False");
    });

  it("is no failure while servers come one after the other", async () => {
    await lab.create("slow", { size: 2, workload: "StatefulSet" });
    const pod = await aPod("slow");
    await lab.awaitCondition("slow", "Progressing", "True", "RollingOut");
    await lab.stop();
    await lab.setContainer(pod, { state: { running: { startedAt: new Date().toISOString() } } }, true);
    const readied = { type: "Ready", status: "True", lastTransitionTime: new Date(Date.now() + 300_000).toISOString() };
    await lab.patch(`${lab.core("pods", pod)}/status`, { status: { conditions: [readied] } });
    await lab.start({}, deadlineMs + 100_000);
    await until("the first server to count", 15_000, async () => (await lab.status("slow")).readyReplicas === 1);
    await lab.awaitCondition("slow", "Progressing", "True", "RollingOut");
    await lab.awaitCondition("slow", "Degraded", "False");
  });

  it("a Service of type LoadBalancer is ready once it has an address, and says so until then", async () => {
    await lab.create("balanced", { size: 1, service: { type: "LoadBalancer" } });
    await lab.makeReady("balanced", 1);
    const { message } = await lab.awaitCondition("balanced", "Ready", "False", "AwaitingAddress");
    const awaited = `Service ${lab.namespace}/balanced has no address yet: the cluster's load balancer has not assigned one`;
    assert.equal(message, `1 of 1 servers are ready, but ${awaited}`);
    assert.equal((await lab.awaitCondition("balanced", "Progressing", "True", "AwaitingAddress")).message, awaited);
    await lab.awaitCondition("balanced", "Available", "True");
    await lab.awaitCondition("balanced", "Degraded", "False");
    await lab.stop();
    await lab.start({}, deadlineMs + 60_000);
    const degraded = await lab.awaitCondition("balanced", "Degraded", "True", "ProgressDeadlineExceeded");
    assert.equal(degraded.message, `No progress for 10 minutes. ${awaited}`);
    await lab.giveAddress("balanced");
    await lab.awaitCondition("balanced", "Ready", "True");
    await lab.awaitCondition("balanced", "Degraded", "False");
  });
});
