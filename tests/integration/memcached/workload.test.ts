import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab, brief } from "./lab";

interface Service extends KubeObject {
  spec: { type: string; clusterIP: string; selector: Record<string, string>; publishNotReadyAddresses?: boolean };
}

describe("spec.workload and spec.service", function () {
  this.timeout(90_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  after(() => lab.stop());

  const deployment = (name: string) => lab.apps("deployments", name);
  const statefulSet = (name: string) => lab.apps("statefulsets", name);
  const service = (name: string) => lab.core("services", name);
  const names = (name: string, size: number) =>
    Array.from({ length: size }, (_, i) => `${name}-${i}.${name}.${lab.namespace}.svc.cluster.local:11211`);

  it("StatefulSet: each server has a name that stays, over a resize at the tail and a rollout", async () => {
    await lab.create("stable", { size: 2, workload: "StatefulSet" });
    await lab.makeReady("stable", 2);
    const available = await lab.awaitCondition("stable", "Available", "True");
    assert.equal(available.message, "StatefulSet for custom resource (stable) with 2 replicas created successfully");
    await lab.awaitCondition("stable", "Ready", "True");
    const status = await lab.status("stable");
    assert.deepEqual(status.nodes, ["stable-0", "stable-1"]);
    assert.deepEqual(status.servers, names("stable", 2));
    const requests = brief(lab.requests()).filter((line) => line.endsWith("/stable"));
    assert.deepEqual(requests.sort(), [
      "create poddisruptionbudgets/stable",
      "create services/stable",
      "create statefulsets/stable",
    ]);
    assert.equal((await lab.get<Service>(service("stable")))?.spec.publishNotReadyAddresses, true);

    await lab.patch(`${lab.server.at("v1", "stable")}/scale`, { spec: { replicas: 3 } });
    await lab.makeReady("stable", 3);
    await until("three servers", 10_000, async () => (await lab.status("stable")).servers?.length === 3);
    assert.deepEqual((await lab.status("stable")).servers, names("stable", 3));
    await lab.awaitCondition("stable", "Ready", "True");

    await lab.patch(lab.server.at("v1", "stable"), { spec: { image: "example.com/memcached:2" } });
    await lab.awaitCondition("stable", "Ready", "False", "RollingOut");
    await until("every pod to be of the new image", 40_000, async () => {
      await lab.readyPods("stable");
      const { conditions } = await lab.status("stable");
      return conditions?.some(({ type, status }) => type === "Ready" && status === "True");
    });
    const pods = (await lab.pods("stable")) as (KubeObject & { spec: { containers: { image: string }[] } })[];
    assert.deepEqual(
      pods.map(({ spec }) => spec.containers[0]?.image),
      Array(3).fill("example.com/memcached:2"),
    );
    assert.equal(await lab.get(deployment("stable")), undefined);
  });

  it("a change makes the new servers first and takes the old ones away when these are available", async () => {
    await lab.create("moves", { size: 2 });
    await lab.becomesReady("moves", 2);
    const old = await lab.get(deployment("moves"));
    await lab.patch(lab.server.at("v1", "moves"), { spec: { workload: "StatefulSet" } });
    await until("both kinds of servers", 15_000, async () => (await lab.pods("moves")).length === 4);
    await lab.awaitCondition("moves", "Ready", "False");
    const { message } = await lab.awaitCondition("moves", "Ready", "False");
    assert.equal(
      message,
      "2 of 2 servers are ready, but the StatefulSet replaces the Deployment, and 0 of its 2 servers are ready",
    );
    assert.equal((await lab.awaitCondition("moves", "Available", "True")).status, "True");
    assert.deepEqual((await lab.status("moves")).servers, [`moves.${lab.namespace}.svc.cluster.local:11211`]);
    assert.equal((await lab.get(deployment("moves")))?.metadata.uid, old?.metadata.uid, "the old servers are there");
    const { spec } = (await lab.get<Service>(service("moves")))!;
    assert.ok(!spec.publishNotReadyAddresses, "its name leads to none that is yet to come");
    for (const pod of await lab.pods("moves"))
      for (const [key, value] of Object.entries(spec.selector))
        assert.equal(pod.metadata.labels?.[key], value, `the Service selects ${pod.metadata.name}`);

    await lab.makeReady("moves", 4);
    await until("the Deployment to be gone", 15_000, async () => !(await lab.get(deployment("moves"))));
    await lab.awaitCondition("moves", "Ready", "True");
    await until("the old pods to be gone", 45_000, async () => {
      const left = (await lab.pods("moves")).length;
      const { publishNotReadyAddresses = false } = (await lab.get<Service>(service("moves")))!.spec;
      const known = (await lab.pods("moves")).length;
      assert.ok(left === 2 || known === 2 || !publishNotReadyAddresses, "nor to one that is going");
      return left === 2;
    });
    await lab.awaits<Service>(
      "every server's own name to be published",
      service("moves"),
      ({ spec }) => spec.publishNotReadyAddresses,
    );
    await until("status.nodes", 10_000, async () => (await lab.status("moves")).nodes?.join() === "moves-0,moves-1");
    assert.deepEqual((await lab.status("moves")).servers, names("moves", 2));
    const deletes = lab.requests().filter(({ verb, name }) => verb === "delete" && name === "moves");
    assert.deepEqual(brief(deletes), ["delete deployments/moves"]);
  });

  it("writes nothing after a restart, for a StatefulSet and a Service with an address either", async () => {
    await lab.create("again", { size: 1, workload: "StatefulSet", podLabels: { team: "a" } });
    await lab.create("plain", { size: 0 });
    await lab.create("lb", { size: 0, service: { type: "LoadBalancer", annotations: { "example.com/a": "b" } } });
    await lab.becomesReady("again", 1);
    await lab.awaits("the Service", service("lb"), () => true);
    await lab.giveAddress("lb");
    await lab.awaitCondition("plain", "Ready", "True");
    await lab.awaitCondition("lb", "Ready", "True");
    await until("again's status to have settled", 10_000, async () => (await lab.status("again")).nodes?.length === 1);
    await lab.stop();
    const before = lab.requests().length;
    await lab.start();
    await lab.create("probe", { size: 0 });
    await lab.awaitCondition("probe", "Ready", "True");
    const since = brief(lab.requests().slice(before)).filter((line) => /\/(again|lb|plain)/.test(line));
    assert.deepEqual(since, []);
  });

  it("the Service is made anew for an address, keeps others' annotations, and is headless again", async () => {
    await lab.create("served", { size: 0, service: { annotations: { "example.com/mine": "1" } } });
    const headless = await lab.awaits<Service>("the Service", service("served"), () => true);
    assert.deepEqual([headless.spec.type, headless.spec.clusterIP], ["ClusterIP", "None"]);
    assert.equal(headless.spec.publishNotReadyAddresses, undefined);

    await lab.patch(service("served"), { spec: { publishNotReadyAddresses: true } });
    const healed = await lab.awaits<Service>(
      "only servers that are ready to be published",
      service("served"),
      ({ spec }) => !spec.publishNotReadyAddresses,
    );
    assert.equal(healed.metadata.uid, headless.metadata.uid);
    assert.equal(headless.metadata.annotations?.["example.com/mine"], "1");
    await lab.patch(service("served"), { metadata: { annotations: { "example.com/theirs": "kept" } } });
    await lab.patch(lab.server.at("v1", "served"), { spec: { service: { annotations: { "example.com/mine": "2" } } } });
    const changed = await lab.awaits<Service>(
      "the annotation",
      service("served"),
      ({ metadata }) => metadata.annotations?.["example.com/mine"] === "2",
    );
    assert.equal(changed.metadata.uid, headless.metadata.uid);
    assert.equal(changed.metadata.annotations?.["example.com/theirs"], "kept");

    await lab.patch(lab.server.at("v1", "served"), { spec: { service: { type: "LoadBalancer" } } });
    const balanced = await lab.awaits<Service>(
      "an address",
      service("served"),
      ({ spec }) => spec.clusterIP !== "None",
    );
    assert.equal(balanced.spec.type, "LoadBalancer");
    assert.notEqual(balanced.metadata.uid, headless.metadata.uid);
    await lab.patch(lab.server.at("v1", "served"), { spec: { service: { type: "NodePort" } } });
    const port = await lab.awaits<Service>("a node port", service("served"), ({ spec }) => spec.type === "NodePort");
    assert.equal(port.metadata.uid, balanced.metadata.uid, "a change that the API server takes is made in place");
    await lab.patch(lab.server.at("v1", "served"), { spec: { service: null } });
    await lab.awaits<Service>("no address", service("served"), ({ spec }) => spec.clusterIP === "None");
    await lab.awaitCondition("served", "Ready", "True");
  });

  it("brings a StatefulSet back that is deleted, heals it, and leaves a foreign one alone", async () => {
    await lab.create("healed", { size: 1, workload: "StatefulSet" });
    await lab.becomesReady("healed", 1);
    const first = await lab.get(statefulSet("healed"));
    await lab.patch(statefulSet("healed"), { spec: { replicas: 5 } });
    await lab.awaits("one replica again", statefulSet("healed"), ({ spec }) => spec?.replicas === 1);
    await lab.delete(statefulSet("healed"));
    await lab.awaits("a new one", statefulSet("healed"), ({ metadata }) => metadata.uid !== first?.metadata.uid);

    const labels = { app: "theirs" };
    await lab.server.client.json("POST", lab.apps("statefulsets"), {
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: { name: "foreign" },
      spec: {
        replicas: 0,
        serviceName: "x",
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: "c", image: "example.com/x:1" }] } },
      },
    });
    await lab.create("foreign", { size: 1, workload: "StatefulSet" });
    const { message } = await lab.awaitCondition("foreign", "Degraded", "True", "ResourceConflict");
    assert.match(message, /^StatefulSet .*\/foreign exists and is not controlled by Memcached foreign: delete it/);
    await lab.delete(statefulSet("foreign"));
    await lab.becomesReady("foreign", 1);
  });
});
