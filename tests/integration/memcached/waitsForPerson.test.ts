import assert from "node:assert/strict";
import type { V1StatefulSetSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { kubectlOn } from "../api/server";
import { Lab, brief } from "./lab";

describe("a change that waits for a person", function () {
  this.timeout(90_000);
  let lab: Lab;
  before(async () => {
    lab = await Lab.open();
    await lab.stop();
    // A minute ahead, so that grace periods are over at once.
    await lab.start({}, 60_000);
  });
  after(() => lab.stop());

  const kubectl = async (...args: string[]) => (await kubectlOn(lab.server, ...args)).stdout;
  /** Runs the command that a message tells, as a shell would. */
  const runs = (message: string) => {
    const [, words = "", quoted] = /kubectl ([^']*[^' ])(?: '(.*)')?$/.exec(message) ?? [];
    return kubectl(...words.split(" "), ...(quoted === undefined ? [] : [quoted]));
  };
  const warned = async (name: string, event: RegExp) => {
    let lines: string[] = [];
    await until(`one Warning ${event}`, 10_000, async () => {
      lines = (await kubectl("describe", "mc", name)).split("\n").filter((line) => line.includes("Warning"));
      return lines.length === 1 && event.test(lines[0] ?? "");
    }).catch((error: Error) => {
      throw new Error(`${error.message}: ${lines.join("\n")}`);
    });
  };

  it("spinnaker/spinnaker#5101, seal-io/walrus#485: a paused Deployment is named, with how to resume it", async () => {
    await lab.create("paused", { size: 1 });
    await lab.becomesReady("paused", 1);
    await kubectl("rollout", "pause", "deployment/paused");
    const path = lab.apps("deployments", "paused");
    await lab.awaits(
      "the pause to be seen",
      path,
      ({ status, metadata }) => status?.observedGeneration === metadata.generation,
    );
    await lab.patch(`${lab.server.at("v1", "paused")}/scale`, { spec: { replicas: 2 } });
    await lab.becomesReady("paused", 2);

    await lab.patch(lab.server.at("v1", "paused"), { spec: { memory: "128Mi" } });
    const { message } = await lab.awaitCondition("paused", "Progressing", "False", "RolloutPaused");
    const { namespace } = lab;
    const told = `Deployment ${namespace}/paused is paused, so the change waits until you run: kubectl rollout resume deployment/paused -n ${namespace}`;
    assert.equal(message, told);
    assert.equal(
      (await lab.awaitCondition("paused", "Ready", "False", "RolloutPaused")).message,
      `2 of 2 servers are ready, but ${told}`,
    );
    await lab.awaitCondition("paused", "Degraded", "False");
    await lab.awaitCondition("paused", "Available", "True");
    assert.ok((await kubectl("get", "mc", "paused", "-o", "wide")).includes(told));
    await warned("paused", /RolloutPaused .*kubectl rollout resume/);
    await lab.stop();
    await lab.start({}, 3_600_000);
    await lab.create("hours-later", { size: 0 });
    await lab.awaitCondition("hours-later", "Ready", "True");
    assert.equal((await lab.awaitCondition("paused", "Progressing", "False", "RolloutPaused")).message, told);
    await lab.stop();
    await lab.start({}, 60_000);

    await runs(message);
    await lab.becomesReady("paused", 2);
  });

  it("spinnaker/spinnaker#5101, seal-io/walrus#485: so is a StatefulSet's partition, and OnDelete heals", async () => {
    type StatefulSet = KubeObject & { spec: V1StatefulSetSpec };
    const path = lab.apps("statefulsets", "parted");
    await lab.create("parted", { size: 2, workload: "StatefulSet" });
    await lab.becomesReady("parted", 2);
    await lab.patch(path, { spec: { updateStrategy: { type: "OnDelete", rollingUpdate: null } } });
    await lab.awaits<StatefulSet>(
      "its own strategy",
      path,
      ({ spec }) => spec.updateStrategy?.type === "RollingUpdate",
    );
    await lab.patch(path, { spec: { updateStrategy: { rollingUpdate: { partition: 1 } } } });
    await lab.patch(lab.server.at("v1", "parted"), { spec: { memory: "128Mi" } });
    const { message } = await until("the partition to be told", 20_000, async () => {
      await lab.readyPods("parted");
      const { conditions } = await lab.status("parted");
      return conditions?.find(({ type, reason }) => type === "Progressing" && reason === "RolloutPaused");
    });
    assert.match(
      message,
      /^StatefulSet \S+\/parted has a partition, so server parted-0 does not get the change until you run: /,
    );
    await warned("parted", /RolloutPaused .*kubectl patch statefulset/);
    assert.equal((await lab.get<StatefulSet>(path))?.spec.updateStrategy?.rollingUpdate?.partition, 1, "it is theirs");
    await runs(message);
    await until("the rollout to go on", 20_000, async () => {
      await lab.readyPods("parted");
      return (await lab.status("parted")).conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    });
  });

  it("IBM/operator-for-redis-cluster#84: a pod that a finalizer holds is named, and forgotten when it goes", async () => {
    await lab.create("stateful", { size: 2, workload: "StatefulSet" });
    await lab.becomesReady("stateful", 2);
    const pod = lab.core("pods", "stateful-1");
    await lab.patch(pod, { metadata: { finalizers: ["example.com/hold"] } });
    await kubectl("delete", "pod", "stateful-1", "--wait=false");
    const { message } = await lab.awaitCondition("stateful", "Degraded", "True", "PodTerminating");
    const { deletionTimestamp } = (await lab.get(pod))!.metadata;
    const held = "its finalizers example.com/hold block the deletion, and their owner must remove them";
    assert.equal(message, `pod stateful-1 has been terminating since ${deletionTimestamp}: ${held}`);
    assert.ok((await kubectl("get", "mc", "stateful", "-o", "wide")).includes(message));
    await warned("stateful", /PodTerminating .*example\.com\/hold/);
    assert.ok(!brief(lab.requests()).some((line) => line.startsWith("delete pods")), "nothing is forced");
    await lab.patch(pod, { metadata: { finalizers: null } });
    await lab.becomesReady("stateful", 2);
    await lab.awaitCondition("stateful", "Degraded", "False");
  });

  it("kubernetes/kubernetes#72226: so is one whose node is lost, with the way out", async () => {
    await lab.create("lost", { size: 1, workload: "StatefulSet" });
    await until("the pod", 15_000, async () => (await lab.pods("lost")).length === 1);
    const pod = lab.core("pods", "lost-0");
    const target = { apiVersion: "v1", kind: "Node", name: "gone-node" };
    const binding = { apiVersion: "v1", kind: "Binding", metadata: { name: "lost-0" }, target };
    await lab.server.client.json("POST", `${pod}/binding`, binding);
    await lab.becomesReady("lost", 1);
    // What the node controller and the taint manager do once a node no longer answers.
    const conditions = [
      { type: "Ready", status: "False" },
      { type: "ContainersReady", status: "True" },
    ];
    await lab.patch(`${pod}/status`, { status: { conditions } });
    await kubectl("delete", "pod", "lost-0", "--wait=false");
    const { message } = await lab.awaitCondition("lost", "Degraded", "True", "PodTerminating");
    assert.match(
      message,
      /its node gone-node is not ready and has not confirmed that it stopped; if the node is permanently gone, run: /,
    );
    await runs(message);
    await lab.becomesReady("lost", 1);
    await lab.awaitCondition("lost", "Degraded", "False");
  });
});
