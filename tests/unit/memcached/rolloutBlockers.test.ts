import assert from "node:assert/strict";
import { pausedMessage } from "../../../operator/memcached/status/rollout";
import { rolloutOf } from "../../../operator/memcached/status/rollout";
import { terminating } from "../../../operator/memcached/status/pods";
import type { ObservedPod, ObservedWorkload, WorkloadKind } from "../../../operator/memcached/types";
import type { KubeObject } from "../../../operator/runtime";
import { pod } from "./fixtures";

describe("a rollout that a person has paused", () => {
  const controller = { apiVersion: "apps/v1", kind: "Deployment", name: "cache", uid: "w-1", controller: true };
  const set: KubeObject = {
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: { name: "rs", ownerReferences: [controller] },
  };
  const words = (kind: WorkloadKind, spec: object, numbers: object, size = 3, sets = [set]) => {
    const workload: ObservedWorkload = {
      apiVersion: "apps/v1",
      kind,
      metadata: { name: "cache", namespace: "shop", uid: "w-1", generation: 2 },
      spec,
      status: { observedGeneration: 2, ...numbers },
    };
    return pausedMessage(kind, workload, rolloutOf(kind, workload, size), size, sets);
  };
  const old = { replicas: 3, readyReplicas: 3, availableReplicas: 3 };
  const all = { ...old, updatedReplicas: 3 };

  it("of a Deployment is told while a change waits for it, and no longer", () => {
    const result = words("Deployment", { paused: true }, old);
    assert.match(
      result ?? "",
      /^Deployment shop\/cache is paused, .*: kubectl rollout resume deployment\/cache -n shop$/,
    );
    assert.ok(words("Deployment", { paused: true }, { ...old, updatedReplicas: 2 }), "half-way through");
    assert.ok(words("Deployment", { paused: true }, {}, 3, []), "it has made nothing yet");
    assert.equal(words("Deployment", { paused: true }, all), undefined, "nothing has changed");
    assert.equal(words("Deployment", { paused: true }, all, 5), undefined, "it is being resized");
    assert.equal(words("Deployment", { paused: true }, { ...old, observedGeneration: 1 }), undefined);
    assert.equal(words("Deployment", {}, old), undefined);
    assert.equal(words("Deployment", { paused: true }, {}, 0, []), undefined);
  });

  it("of a StatefulSet is told once the servers above its partition have the change", () => {
    const by = (partition: number) => ({ updateStrategy: { rollingUpdate: { partition } } });
    const revisions = { currentRevision: "a", updateRevision: "b" };
    const result = (partition: number, updatedReplicas: number, size = 3) =>
      words("StatefulSet", by(partition), { ...old, updatedReplicas, ...revisions }, size);
    assert.match(
      result(2, 1) ?? "",
      /so servers cache-0 to cache-1 do not get the change until you run: kubectl patch statefulset/,
    );
    assert.match(result(1, 2) ?? "", /server cache-0 does not/);
    assert.match(result(9, 0) ?? "", /servers cache-0 to cache-2 do not/);
    assert.equal(result(2, 0), undefined, "one is still on its way");
    assert.equal(result(0, 0), undefined);
    const same = { ...all, currentRevision: "b", updateRevision: "b" };
    assert.equal(words("StatefulSet", by(2), same), undefined, "nothing has changed");
  });
});

describe("a pod that does not end", () => {
  const deletionTimestamp = "2026-01-01T00:00:30Z";
  const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second));
  const ending = (name: string, metadata: object, more: Partial<ObservedPod> = {}): ObservedPod => {
    const plain = pod(name, "rs-1");
    const times = { deletionTimestamp, deletionGracePeriodSeconds: 30 };
    return { ...plain, spec: { nodeName: "n1" }, ...more, metadata: { ...plain.metadata, ...times, ...metadata } };
  };
  const said = (...of: Parameters<typeof ending>) => terminating([ending(...of)], at(60)).problem?.message;

  it("is told after its grace period, and until then when it will be", () => {
    const pods = [ending("b", {}), ending("a", { deletionTimestamp: "2026-01-01T00:01:00Z" })];
    assert.deepEqual(terminating(pods, at(20)), { changesInMs: 25_000 });
    assert.match(
      terminating(pods, at(45)).problem?.message ?? "",
      /^pod b has been terminating since 2026-01-01T00:00:00Z: /,
    );
    assert.equal(terminating(pods, at(45)).changesInMs, 30_000);
    assert.match(terminating(pods, at(75)).problem?.message ?? "", /^pod a /);
    assert.deepEqual(terminating([], at(75)), {});
    assert.deepEqual(terminating([ending("c", { deletionGracePeriodSeconds: 0 })], at(75)), {}, "it is going now");
  });

  it("is told with its node, and with whether that is known not to be ready", () => {
    const command = "if the node is permanently gone, run: kubectl delete pod a -n shop --force";
    assert.ok(said("a", {})?.endsWith(`its node n1 has not confirmed that it stopped; ${command}`));
    const conditions = [
      { type: "Ready", status: "False" },
      { type: "ContainersReady", status: "True" },
    ];
    assert.match(said("a", {}, { status: { conditions } }) ?? "", /its node n1 is not ready and has not confirmed/);
    assert.match(said("a", {}, { status: { reason: "NodeLost" } }) ?? "", /its node n1 is not ready and/);
  });

  it("is told with its finalizers, alone once its node has ended it", () => {
    const finalizers = ["example.com/a", "example.com/b"];
    const held = "its finalizers example.com/a, example.com/b block the deletion, and their owner must remove them";
    assert.equal(
      said("a", { finalizers, deletionGracePeriodSeconds: 0 }),
      `pod a has been terminating since ${deletionTimestamp}: ${held}`,
    );
    assert.match(said("a", { finalizers }) ?? "", /its node n1 .*; its finalizers/);
  });
});
