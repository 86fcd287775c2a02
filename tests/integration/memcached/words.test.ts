import assert from "node:assert/strict";
import { until } from "../../support/until";
import { kubectlOn } from "../api/server";
import { Lab, brief } from "./lab";

describe("what a Memcached's status says", function () {
  this.timeout(90_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const firstPod = (name: string) =>
    until(`a pod of ${name}`, 15_000, async () => (await lab.pods(name))[0]?.metadata.name);
  const kubectl = async (...args: string[]) => (await kubectlOn(lab.server, ...args)).stdout;
  const wide = (name: string) => kubectl("get", "mc", name, "-o", "wide");

  it("kubectl get -o wide shows why no node takes a pod, in the scheduler's words, until one does", async () => {
    await lab.create("pending", { size: 1 });
    const pod = await firstPod("pending");
    const words = "0/1 nodes are available: 1 Insufficient cpu.";
    const condition = { type: "PodScheduled", status: "False", reason: "Unschedulable", message: words };
    await lab.patch(`${lab.core("pods", pod)}/status`, { status: { conditions: [condition] } });
    await lab.awaitCondition("pending", "Ready", "False", "Unschedulable");
    assert.ok(
      (await wide("pending")).includes(`0 of 1 servers are ready: pod ${pod}: ${words}`),
      await wide("pending"),
    );
    await until("a Warning Event", 10_000, async () =>
      /Warning +Unschedulable .*1 Insufficient cpu\./.test(await kubectl("describe", "mc", "pending")),
    );
    await lab.becomesReady("pending", 1);
    assert.match(await wide("pending"), /1 of 1 servers are ready/);
  });

  it("a crash loop is told by the server's last words, and is over when it runs (Kuadrant/authorino-operator#63)", async () => {
    await lab.create("crash", { size: 1, workload: "StatefulSet" });
    const pod = await firstPod("crash");
    const terminated = {
      exitCode: 71,
      reason: "Error",
      message: "failed to listen on TCP port 11211: Address in use\n",
    };
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 10s restarting failed container" };
    await lab.setContainer(pod, { restartCount: 3, state: { waiting }, lastState: { terminated } }, false);
    const { message } = await lab.awaitCondition("crash", "Degraded", "True", "CrashLoopBackOff");
    assert.equal(
      message,
      "pod crash-0, container memcached: it keeps exiting, last with exit code 71: failed to listen on TCP port 11211: Address in use",
    );
    await lab.makeReady("crash", 1);
    await lab.awaitCondition("crash", "Degraded", "False");
    await lab.becomesReady("crash");
  });

  it("a field that only the API server can judge is called by the name it has in the Memcached", async () => {
    const matchExpressions = [{ key: "zone", operator: "In" as const }];
    const nodeAffinity = {
      requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchExpressions }] },
    };
    await lab.create("misplaced", { size: 1, affinity: { nodeAffinity } });
    const { message } = await lab.awaitCondition("misplaced", "Degraded", "True", "Invalid");
    assert.match(message, /^spec\.affinity\.nodeAffinity\..*matchExpressions\[0\]\.values: Required value: /);
    assert.match(
      (await lab.awaitCondition("misplaced", "Available", "False")).message,
      /^Failed to create Deployment for the custom resource \(misplaced\): \(spec\.affinity\./,
    );
  });

  it("kubernetes-sigs/agent-sandbox#1617: a namespace goes with all its caches, and each is refused at most twice", async () => {
    const names = Array.from({ length: 30 }, (_, i) => `c${i}`);
    for (const name of names)
      await lab.create(name, { size: 1, ...(name.endsWith("0") && { workload: "StatefulSet" }) });
    await lab.server.client.request("DELETE", `/api/v1/namespaces/${lab.namespace}`);
    await until("the namespace to be gone", 60_000, async () => {
      return !(await lab.get(`/api/v1/namespaces/${lab.namespace}`));
    });
    for (const name of names) {
      const refused = lab.requests().filter((request) => request.name === name && request.code === 403);
      assert.ok(refused.length <= 2, `${name}: ${brief(refused).join(", ")}`);
    }
    assert.deepEqual(
      lab.log.filter(({ level }) => level === "error" || level === "warn"),
      [],
    );
  });

  it("rabbitmq/messaging-topology-operator#251: passes over 60 ready caches write nothing, and no time moves", async () => {
    const names = Array.from({ length: 60 }, (_, i) => `idle${i}`);
    for (const name of names) await lab.create(name, { size: 0 });
    for (const name of names) await lab.awaitCondition(name, "Ready", "True");
    const times = async (name: string) => (await lab.status(name)).conditions?.map((each) => each.lastTransitionTime);
    const before = await Promise.all(names.map(times));
    const requests = lab.requests().length;
    await lab.stop();
    await lab.start();
    for (const name of names) await lab.patch(lab.server.at("v1", name), { metadata: { labels: { touched: "yes" } } });
    await lab.create("last", { size: 0 });
    await lab.awaitCondition("last", "Ready", "True");
    const since = brief(lab.requests().slice(requests)).filter((line) => line.includes("/idle"));
    assert.deepEqual(since, []);
    assert.deepEqual(await Promise.all(names.map(times)), before);
  });
});
