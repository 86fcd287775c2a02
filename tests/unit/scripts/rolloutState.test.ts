import assert from "node:assert/strict";
import { rolloutState, type DeploymentObject, type PodObject } from "../../../scripts/stack/rolloutState";

const NEW = "registry.example.com/operator:2";

function deployment(status: DeploymentObject["status"]): DeploymentObject {
  const template = { spec: { containers: [{ image: NEW }] } };
  const spec = { replicas: 1, selector: { matchLabels: {} }, template };
  return { metadata: { name: "op", generation: 2 }, spec, status: { observedGeneration: 2, ...status } };
}

type Waiting = { reason: string; message?: string };

function pod(image: string, waiting?: Waiting, lastState?: { terminated: { exitCode: number; message?: string } }) {
  const state = { ...(waiting && { state: { waiting } }), ...(lastState && { lastState }) };
  const containerStatuses = [{ name: "manager", ready: !waiting, restartCount: 0, ...state }];
  return { metadata: { name: "op-1" }, spec: { containers: [{ image }] }, status: { containerStatuses } } as PodObject;
}

describe("the state of a rollout", () => {
  const whole = { replicas: 1, updatedReplicas: 1, availableReplicas: 1 };

  it("is done when all pods are new and available", () => {
    assert.deepEqual(rolloutState(deployment(whole), []), { done: true });
  });

  const underWay: [string, DeploymentObject["status"]][] = [
    ["before the controller has seen the change", { ...whole, observedGeneration: 1 }],
    ["while pods of the old image are there", { ...whole, replicas: 2 }],
    ["while the new pod is not available", { ...whole, availableReplicas: 0 }],
    ["when nothing is known yet", { observedGeneration: 0 }],
  ];
  for (const [when, status] of underWay)
    it(`is not done ${when}`, () => assert.deepEqual(rolloutState(deployment(status), []), { done: false }));

  it("names what a new pod waits for, and not what an old one does", () => {
    const pull = { reason: "ErrImagePull", message: "no such image" };
    const none = deployment({});
    assert.equal(
      rolloutState(none, [pod(NEW, pull)]).problem,
      "pod op-1, container manager: ErrImagePull: no such image",
    );
    assert.deepEqual(rolloutState(none, [pod("operator:1", pull)]), { done: false });
    assert.deepEqual(rolloutState(none, [pod(NEW, { reason: "ContainerCreating" })]), { done: false });
  });

  it("names how a pod that ends again and again has ended", () => {
    const back = { reason: "CrashLoopBackOff", message: "back-off 10s" };
    const { problem } = rolloutState(deployment({}), [
      pod(NEW, back, { terminated: { exitCode: 2, message: "no flag\n" } }),
    ]);
    const words = "it keeps exiting, last with exit code 2: no flag";
    assert.equal(problem, `pod op-1, container manager: ${words}`);
  });

  it("names why there is no pod at all, or no place for it", () => {
    const refused = { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" };
    assert.equal(rolloutState(deployment({ conditions: [refused] }), []).problem, "exceeded quota");
    const unplaced = pod(NEW);
    unplaced.status = {
      conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message: "0/1" }],
    };
    assert.equal(rolloutState(deployment({}), [unplaced]).problem, "pod op-1: 0/1");
  });
});
