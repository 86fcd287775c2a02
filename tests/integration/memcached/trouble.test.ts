import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab } from "./lab";

interface EventList {
  items: { type: string; reason: string; note?: string; message?: string; involvedObject?: { name: string } }[];
}

describe("what stands in the way of a Memcached", function () {
  this.timeout(60_000);
  let lab: Lab;
  beforeEach(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop());

  const warnings = async (name: string) => {
    const list = await lab.server.client.json<EventList>("GET", lab.core("events"));
    return list.items.filter((event) => event.type === "Warning" && event.involvedObject?.name === name);
  };

  it("leaves foreign objects alone, names them, and heals when they go (WASdev/websphere-liberty-operator#201)", async () => {
    const foreign = {
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: { name: "taken", labels: { "example.com/whose": "theirs" } },
      spec: {
        replicas: 0,
        selector: { matchLabels: { app: "theirs" } },
        template: {
          metadata: { labels: { app: "theirs" } },
          spec: { containers: [{ name: "theirs", image: "example.com/theirs:1" }] },
        },
      },
    };
    const before = await lab.server.client.json<KubeObject>("POST", lab.apps("deployments"), foreign);
    await lab.create("taken", { size: 1 });
    const degraded = await lab.awaitCondition("taken", "Degraded", "True", "ResourceConflict");
    assert.match(degraded.message, /^Deployment .*\/taken exists and is not controlled by Memcached taken: delete it/);
    const available = await lab.awaitCondition("taken", "Available", "False");
    assert.match(available.message, /^Failed to create Deployment for the custom resource \(taken\): \(Deployment /);
    // The other child is there all the same.
    await lab.awaits("the Service", lab.core("services", "taken"), () => true);
    await until("one Warning Event", 10_000, async () => (await warnings("taken")).length === 1);
    const after = await lab.get(lab.apps("deployments", "taken"));
    assert.equal(after?.metadata.uid, before.metadata.uid);
    assert.equal(after?.metadata.generation, before.metadata.generation);
    assert.equal(after?.metadata.ownerReferences, undefined);

    await lab.delete(lab.apps("deployments", "taken"));
    await lab.becomesReady("taken", 1);
    assert.equal((await lab.awaitCondition("taken", "Degraded", "False")).reason, "AsExpected");
  });

  it("leaves a Service alone that another object controls, and says the cache itself is available", async () => {
    const { metadata } = await lab.server.client.json<KubeObject>("POST", lab.core("configmaps"), {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "owner" },
    });
    const owner = { apiVersion: "v1", kind: "ConfigMap", name: "owner", uid: metadata.uid, controller: true };
    await lab.server.client.json("POST", lab.core("services"), {
      apiVersion: "v1",
      kind: "Service",
      metadata: { name: "shared", ownerReferences: [owner] },
      spec: { ports: [{ port: 80 }] },
    });
    await lab.create("shared", { size: 1 });
    await lab.makeReady("shared", 1);
    await lab.awaitCondition("shared", "Available", "True");
    const ready = await lab.awaitCondition("shared", "Ready", "False", "ResourceConflict");
    assert.match(ready.message, /^Service /);
  });

  it("shows why pods cannot run within seconds, keeps the old ones, and clears (tigera/operator#107)", async () => {
    await lab.create("image", { size: 1 });
    const creating = { state: { waiting: { reason: "ContainerCreating" } } };
    const [first] = await until("the first pod", 10_000, async () => {
      const pods = await lab.pods("image");
      return pods.length === 1 && pods;
    });
    await lab.setContainer(first?.metadata.name ?? "", creating, false);
    await lab.awaitCondition("image", "Progressing", "True", "RollingOut");
    await lab.awaitCondition("image", "Degraded", "False");
    await lab.becomesReady("image", 1);

    await lab.patch(lab.server.at("v1", "image"), { spec: { image: "example.com/no/such:1" } });
    const bad = await until("the pod of the new image", 10_000, async () =>
      (await lab.pods("image")).find((pod) => !pod.status?.containerStatuses?.[0]?.ready),
    );
    const waiting = { reason: "ImagePullBackOff", message: 'Back-off pulling image "example.com/no/such:1"' };
    await lab.setContainer(bad.metadata.name, { state: { waiting } }, false);
    const degraded = await lab.awaitCondition("image", "Degraded", "True", "ImagePullBackOff");
    assert.match(
      degraded.message,
      new RegExp(`^pod ${bad.metadata.name}, container memcached: ImagePullBackOff: Back-off`),
    );
    assert.equal((await lab.awaitCondition("image", "Available", "True")).status, "True");
    await until("the Warning Event", 10_000, async () =>
      (await warnings("image")).some(({ reason }) => reason === "ImagePullBackOff"),
    );

    await lab.patch(lab.server.at("v1", "image"), { spec: { image: null } });
    await lab.awaitCondition("image", "Degraded", "False");
    await lab.awaitCondition("image", "Ready", "True");
  });

  it("shows a quota's words, without trying hot, and goes on once there is room (kubernetes/kubernetes#30626)", async () => {
    const quota = { apiVersion: "v1", kind: "ResourceQuota", metadata: { name: "none" } };
    const path = lab.core("resourcequotas");
    await lab.server.client.json("POST", path, { ...quota, spec: { hard: { "count/deployments.apps": "0" } } });
    await lab.awaits<KubeObject & { status?: { hard?: object } }>(
      "the quota to be counted",
      `${path}/none`,
      ({ status }) => status?.hard,
    );
    await lab.create("quota", { size: 1 });
    const degraded = await lab.awaitCondition("quota", "Degraded", "True", "QuotaExceeded");
    assert.match(degraded.message, /exceeded quota: none/);
    await lab.delete(`${path}/none`);
    await lab.awaits("the Deployment", lab.apps("deployments", "quota"), () => true);
    await lab.awaitCondition("quota", "Degraded", "False");
    const tries = lab.requests().filter(({ resource, code }) => resource === "deployments" && code === 403);
    assert.ok(tries.length >= 1 && tries.length <= 3, `${tries.length} refused applies`);
  });

  for (const workload of ["Deployment", "StatefulSet"] as const)
    it(`shows that pods of a ${workload} are refused, in the words of the quota, and clears (kubernetes/kubernetes#30626)`, async () => {
      const path = lab.core("resourcequotas");
      await lab.server.client.json("POST", path, {
        apiVersion: "v1",
        kind: "ResourceQuota",
        metadata: { name: "pods" },
        spec: { hard: { pods: "0" } },
      });
      await lab.awaits<KubeObject & { status?: { hard?: object } }>(
        "the quota to be counted",
        `${path}/pods`,
        ({ status }) => status?.hard,
      );
      await lab.create("full", { size: 1, workload });
      const degraded = await lab.awaitCondition("full", "Degraded", "True", "ReplicaFailure");
      assert.match(degraded.message, /exceeded quota: pods/);
      await lab.delete(`${path}/pods`);
      // The workload's controller tries again at once when what it is for changes.
      await lab.patch(lab.server.at("v1", "full"), { spec: { podLabels: { team: "a" } } });
      await lab.becomesReady("full");
      await lab.awaitCondition("full", "Degraded", "False");
    });

  it("shows the words of an admission policy that refuses a resize", async () => {
    const group = "/apis/admissionregistration.k8s.io/v1";
    const name = `no-growth-${lab.namespace}`;
    await lab.create("policy", { size: 1 });
    await lab.becomesReady("policy", 1);
    await lab.server.client.json("POST", `${group}/validatingadmissionpolicies`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicy",
      metadata: { name },
      spec: {
        matchConstraints: {
          namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": lab.namespace } },
          resourceRules: [
            { apiGroups: ["apps"], apiVersions: ["v1"], operations: ["UPDATE"], resources: ["deployments"] },
          ],
        },
        validations: [{ expression: "object.spec.replicas < 3", message: "three are too many" }],
      },
    });
    await lab.server.client.json("POST", `${group}/validatingadmissionpolicybindings`, {
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingAdmissionPolicyBinding",
      metadata: { name },
      spec: { policyName: name, validationActions: ["Deny"] },
    });
    try {
      const probe = `${lab.apps("deployments", "policy")}?dryRun=All`;
      await until("the policy to be in force", 20_000, async () => {
        const { code } = await lab.server.ask(
          "PATCH",
          probe,
          { spec: { replicas: 5 } },
          "application/merge-patch+json",
        );
        return code === 422;
      });
      await lab.patch(lab.server.at("v1", "policy"), { spec: { size: 3 } });
      const available = await lab.awaitCondition("policy", "Available", "False", "Resizing");
      assert.match(
        available.message,
        /^Failed to update the size for the custom resource \(policy\): \(.*three are too many/,
      );
      await lab.awaitCondition("policy", "Degraded", "True", "AdmissionDenied");
    } finally {
      await lab.server.client.request("DELETE", `${group}/validatingadmissionpolicybindings/${name}`);
      await lab.server.client.request("DELETE", `${group}/validatingadmissionpolicies/${name}`);
    }
  });

  it("writes nothing into a namespace that goes, and logs no errors (kubernetes-sigs/agent-sandbox#1617)", async () => {
    await lab.create("doomed", { size: 1 });
    await lab.awaitCondition("doomed", "Available", "False");
    const events = () => lab.requests().filter(({ resource, verb }) => resource === "events" && verb === "create");
    await until("what was done to be told", 10_000, () => events().length === 2);
    // A finalizer of someone else's holds the resource, and so the namespace, while its children go.
    await lab.patch(lab.server.at("v1", "doomed"), { metadata: { finalizers: ["example.com/hold"] } });
    await lab.server.client.request("DELETE", `/api/v1/namespaces/${lab.namespace}`);
    await until("the children to be gone", 20_000, async () => !(await lab.get(lab.apps("deployments", "doomed"))));
    const refused = lab.requests().filter(({ code }) => code === 403);
    assert.ok(refused.length <= 2, `${refused.length} refused writes`);
    await lab.patch(lab.server.at("v1", "doomed"), { metadata: { finalizers: null } });
    await until(
      "the namespace to be gone",
      30_000,
      async () => !(await lab.get(`/api/v1/namespaces/${lab.namespace}`)),
    );
    assert.deepEqual(
      lab.log.filter(({ level }) => level === "error" || level === "warn"),
      [],
    );
    assert.equal(events().length, 2);
  });
});
