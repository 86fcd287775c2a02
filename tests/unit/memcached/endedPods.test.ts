import assert from "node:assert/strict";
import {
  type EndedPod,
  currentRevision,
  rememberEnded,
  repeatedEnd,
} from "../../../operator/memcached/status/endedPods";
import type { ObservedPod } from "../../../operator/memcached/types";
import type { KubeObject } from "../../../operator/runtime";
import { pod } from "./fixtures";

const time = (second: number) => new Date(Date.UTC(2026, 0, 1) + second * 1_000).toISOString();
const words = "Pod ephemeral local storage usage exceeds the total limit of containers 1. ";

function ended(name: string, madeAt: number, endedAt: number, replicaSet = "rs-1"): ObservedPod {
  const made = pod(name, replicaSet);
  made.metadata.creationTimestamp = time(madeAt);
  const conditions = [{ type: "Ready", status: "False", lastTransitionTime: time(endedAt) }];
  return { ...made, status: { phase: "Failed", reason: "Evicted", message: words, conditions } };
}

function remembering(...pods: ObservedPod[]) {
  const kept: EndedPod[] = [];
  const saw = (each: ObservedPod) => rememberEnded(kept, each);
  pods.forEach(saw);
  return {
    saw,
    at: (second: number, revision = "rs-1") => repeatedEnd(kept, new Date(time(second)), () => revision),
  };
}

describe("pods that end", () => {
  it("are a failure once the one in the place of one that ended does so too, in the kubelet's words", () => {
    const one = remembering(ended("a", 0, 10));
    assert.deepEqual(one.at(11), {}, "one is bad luck");
    one.saw(ended("a", 0, 10));
    assert.deepEqual(one.at(11), {}, "the same one");
    assert.deepEqual(remembering(ended("a", 10, 10)).at(11), {}, "one that ended at once");
    one.saw(ended("b", 11, 20));
    assert.deepEqual(one.at(21), {
      problem: { reason: "Evicted", message: `pods fail repeatedly: Evicted: ${words.trim()}` },
      changesInMs: 289_000,
    });
  });

  it("are none when several ran side by side, as on a node that went", () => {
    assert.deepEqual(remembering(ended("a", 0, 100), ended("b", 1, 101)).at(102), {});
  });

  it("are over five minutes later, and for another revision", () => {
    const both = remembering(ended("a", 0, 10), ended("b", 11, 20));
    assert.deepEqual(both.at(30, "rs-2"), {});
    assert.ok(both.at(309).problem);
    assert.deepEqual(both.at(311), {});
  });

  it("are none when they were deleted, finished or crash", () => {
    const running = pod("a", "rs-1");
    const finished = { ...pod("b", "rs-1"), status: { phase: "Succeeded", reason: "x" } };
    assert.deepEqual(remembering(running, finished, { ...finished, status: { phase: "Failed" } }).at(1), {});
  });

  it("belong to the ReplicaSet of the highest revision, or to the revision a StatefulSet is at", () => {
    const set = (uid: string, revision: string): KubeObject => ({
      apiVersion: "apps/v1",
      kind: "ReplicaSet",
      metadata: {
        ...{ name: uid, uid, annotations: { "deployment.kubernetes.io/revision": revision } },
        ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "cache", uid: "d-1", controller: true }],
      },
    });
    const workload = { apiVersion: "apps/v1", kind: "X", metadata: { name: "cache", uid: "d-1" } };
    const sets = [set("rs-9", "9"), set("rs-10", "10"), set("rs-2", "2")];
    assert.equal(currentRevision("Deployment", workload, sets), "rs-10");
    assert.equal(
      currentRevision("Deployment", { ...workload, metadata: { name: "x", uid: "other" } }, sets),
      undefined,
    );
    assert.equal(currentRevision("StatefulSet", { ...workload, status: { updateRevision: "r" } }, []), "d-1/r");
  });
});
