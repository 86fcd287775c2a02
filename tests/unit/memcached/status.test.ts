import assert from "node:assert/strict";
import { type MemcachedStatus, statusFields, unseenStatus, writtenStatus } from "../../../api";
import { newWarning } from "../../../operator/memcached/events";
import { noteWritten, throttle } from "../../../operator/memcached/status/writeThrottle";
import { podFailure, podsOf, unschedulable } from "../../../operator/memcached/status/pods";
import { rolloutOf } from "../../../operator/memcached/status/rollout";
import { statusOf } from "../../../operator/memcached/status/status";
import type { ObservedWorkload } from "../../../operator/memcached/types";
import type { KubeObject } from "../../../operator/runtime";
import { memcached, pod, rollout, observedState } from "./fixtures";

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second, 123));
const status = (changes: Parameters<typeof observedState>[0], before?: MemcachedStatus, second = 0, generation = 1) => {
  const resource = memcached({ size: 3 }, { status: before });
  resource.metadata.generation = generation;
  return statusOf(resource, observedState(changes), [], "cluster.local", at(second)) as MemcachedStatus;
};
const condition = (of: MemcachedStatus, type: string) => of.conditions?.find((each) => each.type === type);

describe("the status of a Memcached", () => {
  it("carries the generation, in every condition too, and where clients connect", () => {
    const now = status({});
    assert.equal(now.observedGeneration, 1);
    assert.deepEqual(
      now.conditions?.map(({ type, observedGeneration }) => `${type} ${observedGeneration}`),
      ["Available 1", "Progressing 1", "Degraded 1", "Ready 1"],
    );
    assert.deepEqual(now.servers, ["cache.shop.svc.cluster.local:11211"]);
  });

  it("has every field of the schema", () => assert.deepEqual(Object.keys(status({})).sort(), [...statusFields].sort()));

  it("moves lastTransitionTime only when a condition flips (knative/serving#1181)", () => {
    const first = status({});
    const same = status({}, first, 30, 2);
    assert.equal(condition(same, "Ready")?.lastTransitionTime, "2026-01-01T00:00:00Z");
    const rolling = status({ rollout: rollout({ available: 3, ready: 3 }) }, same, 40, 2);
    assert.equal(condition(rolling, "Ready")?.lastTransitionTime, "2026-01-01T00:00:40Z");
    assert.equal(condition(rolling, "Available")?.lastTransitionTime, "2026-01-01T00:00:00Z");
  });

  it("keeps conditions that others have added", () => {
    const theirs = {
      type: "Audited",
      status: "True",
      reason: "X",
      message: "",
      lastTransitionTime: "2020-01-01T00:00:00Z",
    };
    const now = status({}, { conditions: [theirs as never] });
    assert.deepEqual(condition(now, "Audited"), theirs);
    assert.equal(now.conditions?.length, 5);
  });
});

describe("a status that no operator has written", () => {
  it("is none to the operator, except for what others have added", () => {
    assert.equal(writtenStatus(unseenStatus), undefined);
    assert.equal(writtenStatus(undefined), undefined);
    const written = status({});
    assert.equal(writtenStatus(written), written);
    const theirs = { ...condition(written, "Ready")!, type: "Audited" };
    const mixed = { ...unseenStatus, conditions: [...(unseenStatus.conditions ?? []), theirs], replicas: 2 };
    const left = { observedGeneration: undefined, replicas: 2, conditions: [theirs] };
    assert.deepEqual(writtenStatus(mixed), left);
    assert.equal(writtenStatus({ ...unseenStatus, observedGeneration: 3 })?.observedGeneration, 3, "written in part");
  });
});

describe("the throttle of status writes", () => {
  const throttled = (now: () => number) => {
    const state = {};
    return {
      due: (before: MemcachedStatus | undefined, next: MemcachedStatus) => throttle(before, next, state, now()),
      written: () => noteWritten(state, now()),
    };
  };
  const before = status({ rollout: rollout({ available: 1, ready: 1, replicas: 3 }) });

  it("is none when nothing changed, whatever else is in the status", () => {
    const stored = { ...before, later: "field" } as MemcachedStatus;
    assert.equal(throttled(() => 0).due(stored, before), "unchanged");
  });

  it("is at once for an end, for a new generation that is done, and for a new reason to be degraded", () => {
    const writes = throttled(() => 0);
    writes.written();
    assert.equal(writes.due(undefined, status({})), "now");
    assert.equal(writes.due(before, status({})), "now");
    assert.equal(writes.due(status({}), { ...status({}), observedGeneration: 2 }), "now");
    const broken = (reason: string) => status({ otherProblem: { reason, message: "m" } });
    assert.equal(writes.due(before, broken("Forbidden")), "now");
    assert.equal(writes.due(broken("Forbidden"), broken("QuotaExceeded")), "now");
    assert.equal(writes.due(broken("Forbidden"), before), "now", "that it is no longer broken is news");
    assert.equal(writes.due(undefined, status({ waitingFor: "x", workloadExists: false })), "now");
  });

  it("shows that a change is under way once it has been so for a second", () => {
    let now = 0;
    const writes = throttled(() => now);
    assert.equal(writes.due(undefined, before), 1_000);
    now = 400;
    assert.equal(writes.due(undefined, before), 600);
    now = 1_000;
    assert.equal(writes.due(undefined, before), "now");
    writes.written();
    const next = { ...before, observedGeneration: 2 };
    assert.equal(writes.due(status({}), next), 1_000, "the next change has a second of its own");
  });

  it("is at once for servers that are lost, unless a change of the spec takes them", () => {
    const up = status({});
    assert.equal(throttled(() => 0).due(up, before), "now");
    assert.equal(throttled(() => 0).due(up, status({ rollout: rollout({ seen: false }) })), "now", "the Deployment");
    const changed = { ...before, observedGeneration: 2 };
    assert.equal(throttled(() => 0).due(up, changed), 1_000);
    const surge = status({ rollout: rollout({ updated: 1, available: 3, ready: 3, replicas: 4 }) });
    assert.equal(throttled(() => 0).due(up, surge), 1_000, "none is lost while drift is healed");
  });

  it("is once a second for progress, and for what a new cache has not yet", () => {
    let now = 0;
    const writes = throttled(() => now);
    const fresh = status({ rollout: rollout({ seen: false }) });
    assert.equal(writes.due(fresh, before), "now");
    writes.written();
    now = 300;
    assert.equal(writes.due(fresh, before), 700);
    assert.equal(writes.due(before, { ...before, nodes: ["cache-1"] }), 700);
    now = 1_000;
    assert.equal(writes.due(before, { ...before, nodes: ["cache-1"] }), "now");
  });
});

describe("the Warning Event", () => {
  const broken = (reason: string, message = "m") => status({ podFailure: { reason, message }, rollout: rollout({}) });

  it("is sent when Degraded becomes true, or is for another reason", () => {
    assert.equal(newWarning(status({}), broken("CrashLoopBackOff"))?.reason, "CrashLoopBackOff");
    assert.equal(newWarning(undefined, broken("CrashLoopBackOff"))?.message, "m");
    assert.equal(newWarning(broken("CrashLoopBackOff"), broken("InvalidImageName"))?.reason, "InvalidImageName");
  });

  it("is sent when no node has room for a pod, once, and again when that became a failure", () => {
    const crowded = (message: string) =>
      status({ unschedulable: { reason: "Unschedulable", message }, rollout: rollout({}) });
    assert.deepEqual(newWarning(status({}), crowded("pod a: 0/1 nodes"))?.message, "pod a: 0/1 nodes");
    assert.equal(newWarning(status({}), crowded("pod a: 0/1 nodes"))?.reason, "Unschedulable");
    assert.equal(newWarning(crowded("pod a: 0/1 nodes"), crowded("pod b: 0/1 nodes")), undefined);
    assert.equal(newWarning(crowded("pod a: 0/1 nodes"), broken("InvalidImageName"))?.reason, "InvalidImageName");
  });

  it("is sent when a person has paused the rollout, once", () => {
    const paused = (message: string) => status({ paused: message, rollout: rollout({}) });
    assert.equal(newWarning(status({}), paused("a is paused"))?.message, "a is paused");
    assert.equal(newWarning(paused("a is paused"), paused("a is paused still")), undefined);
    assert.equal(throttle(status({ rollout: rollout({}) }), paused("a is paused"), {}, 0), "now");
  });

  it("is not sent again for the same trouble in other words, nor when all is well", () => {
    assert.equal(newWarning(broken("ImagePullBackOff"), broken("ErrImagePull", "other")), undefined);
    assert.equal(newWarning(broken("ImagePullBackOff"), status({})), undefined);
  });
});

describe("the pods of a Memcached", () => {
  const replicaSet = (uid: string, owner: string): KubeObject => ({
    apiVersion: "apps/v1",
    kind: "ReplicaSet",
    metadata: {
      name: uid,
      uid,
      ownerReferences: [{ apiVersion: "apps/v1", kind: "Deployment", name: "cache", uid: owner, controller: true }],
    },
  });

  it("are those whose owners lead to the Deployment by UID, neither finished nor terminating, sorted (openstack-k8s-operators/infra-operator#52)", () => {
    const finished = pod("cache-e", "rs-1");
    finished.status = { phase: "Failed" };
    const leaving = pod("cache-f", "rs-1");
    leaving.metadata.deletionTimestamp = "2026-01-01T00:00:00Z";
    const stray = pod("stray", "rs-1");
    stray.metadata.ownerReferences = undefined;
    const pods = [pod("cache-b", "rs-2"), pod("cache-a", "rs-1"), pod("cache-x", "rs-9"), finished, leaving, stray];
    const sets = [replicaSet("rs-1", "d-1"), replicaSet("rs-2", "d-1"), replicaSet("rs-9", "d-0")];
    assert.deepEqual(
      podsOf(["d-1"], pods, sets).map(({ metadata }) => metadata.name),
      ["cache-a", "cache-b"],
    );
    assert.deepEqual(podsOf([undefined], [stray], sets), []);
  });

  it("fail when they wait for anything but their making, in the kubelet's words", () => {
    const waits = (reason: string, message?: string) =>
      podFailure([pod("cache-a", "rs-1", { state: { waiting: { reason, message } } })]);
    for (const reason of ["ContainerCreating", "PodInitializing"]) assert.equal(waits(reason), undefined);
    for (const reason of ["ImagePullBackOff", "ErrImagePull", "InvalidImageName", "CreateContainerConfigError"])
      assert.deepEqual(waits(reason, "words"), {
        reason,
        message: `pod cache-a, container memcached: ${reason}: words`,
      });
  });

  it("crash when they do so again and again, also between two crashes, until they are ready", () => {
    const crash = { exitCode: 71, reason: "Error" };
    const failure = (container: Parameters<typeof pod>[2]) => podFailure([pod("cache-a", "rs-1", container)]);
    const expected = {
      reason: "CrashLoopBackOff",
      message: "pod cache-a, container memcached: it keeps exiting, last with exit code 71",
    };
    const waiting = { reason: "CrashLoopBackOff", message: "back-off 40s restarting failed container" };
    assert.deepEqual(failure({ restartCount: 1, state: { waiting }, lastState: { terminated: crash } }), expected);
    assert.deepEqual(failure({ restartCount: 2, state: { running: {} }, lastState: { terminated: crash } }), expected);
    assert.deepEqual(failure({ restartCount: 2, state: { terminated: crash } }), expected);
    assert.equal(failure({ restartCount: 1, state: { running: {} }, lastState: { terminated: crash } }), undefined);
    assert.equal(
      failure({ restartCount: 9, ready: true, state: { running: {} }, lastState: { terminated: crash } }),
      undefined,
    );
    const words = {
      exitCode: 71,
      reason: "Error",
      message: "a\n  failed to listen on TCP port 11211:\nAddress in use \n",
    };
    assert.match(
      failure({ restartCount: 2, state: { terminated: words } })?.message ?? "",
      /last with exit code 71: a; failed to listen on TCP port 11211:; Address in use$/,
    );
    const files = "failed to set rlimit for open files. Try starting as root or requesting smaller maxconns value.\n";
    assert.equal(
      failure({ restartCount: 2, state: { terminated: { ...words, message: files } } })?.message,
      `${expected.message}: ${files.trim()} The node allows its containers fewer open files than spec.connections: ` +
        "raise the limit of its container runtime (LimitNOFILE) or lower spec.connections",
      "memcached/memcached#218, docker-library/memcached#18",
    );
    const oom = { exitCode: 137, reason: "OOMKilled" };
    assert.match(failure({ restartCount: 3, state: { terminated: oom } })?.message ?? "", /OOMKilled, exit code 137$/);
  });

  it("are unschedulable when the scheduler says so", () => {
    const pending = pod("cache-a", "rs-1");
    const message = "0/1 nodes are available: 1 Insufficient memory.";
    pending.status = { conditions: [{ type: "PodScheduled", status: "False", reason: "Unschedulable", message }] };
    assert.deepEqual(unschedulable([pending]), { reason: "Unschedulable", message: `pod cache-a: ${message}` });
    assert.equal(podFailure([pending]), undefined);
  });
});

describe("the rollout, as kubectl counts it", () => {
  const workload = (generation: number, observedGeneration: number, numbers: object): ObservedWorkload => ({
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: { name: "cache", generation },
    status: { observedGeneration, ...numbers },
  });
  const counted = (generation: number, observedGeneration: number, numbers: object, size = 3) =>
    rolloutOf("Deployment", workload(generation, observedGeneration, numbers), size).done;
  const all = { replicas: 3, updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3 };

  it("is done only when the status is of this generation and every pod is new and available (openstack-k8s-operators/neutron-operator#335)", () => {
    assert.equal(counted(1, 1, all), true);
    assert.equal(counted(2, 1, all), false, "the controller has not seen the new image");
    assert.equal(counted(2, 2, { ...all, updatedReplicas: 1 }), false);
    assert.equal(counted(2, 2, { ...all, replicas: 4 }), false, "an old pod is left");
    assert.equal(counted(2, 2, { ...all, availableReplicas: 2 }), false);
    assert.equal(counted(2, 2, all), true);
    assert.equal(counted(2, 2, all, 5), false, "more are wanted");
    assert.equal(counted(1, 1, {}, 0), true);
  });

  it("of a StatefulSet is done when no server of an earlier revision is left", () => {
    const done = (numbers: object, size = 3) => rolloutOf("StatefulSet", workload(2, 2, numbers), size).done;
    const revisions = { currentRevision: "b", updateRevision: "b" };
    assert.equal(done({ ...all, ...revisions }), true);
    assert.equal(done({ ...all, ...revisions, currentRevision: "a" }), false);
    assert.equal(done({ ...all, ...revisions, updatedReplicas: 2 }), false);
    assert.equal(done({ ...all, ...revisions, availableReplicas: 2 }), false);
    assert.equal(done({ ...all, ...revisions }, 2), false, "one is still to go");
    assert.equal(done({ replicas: 0, ...revisions }, 0), true);
  });

  it("takes failures as said only when they are of this generation", () => {
    const conditions = [
      { type: "Progressing", status: "False", reason: "ProgressDeadlineExceeded", message: "too slow" },
      { type: "ReplicaFailure", status: "True", reason: "FailedCreate", message: "exceeded quota" },
    ];
    const failing = (generation: number) => {
      const metadata = { name: "cache", generation };
      const of = { apiVersion: "apps/v1", kind: "Deployment", metadata, status: { observedGeneration: 1, conditions } };
      const { deadlineExceeded, replicaFailure } = rolloutOf("Deployment", of, 3);
      return [deadlineExceeded, replicaFailure];
    };
    assert.deepEqual(failing(1), ["too slow", "exceeded quota"]);
    assert.deepEqual(failing(2), [undefined, undefined]);
  });
});
