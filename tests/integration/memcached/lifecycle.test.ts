import assert from "node:assert/strict";
import type { KubeObject } from "../../../operator/runtime";
import { until } from "../../support/until";
import { Lab, brief, environment } from "./lab";

interface Deployment extends KubeObject {
  spec: {
    replicas: number;
    template: {
      metadata: { annotations?: Record<string, string> };
      spec: { containers: { name: string; image: string; args?: string[]; env?: object[] }[] };
    };
  };
}
interface Service extends KubeObject {
  spec: { selector: Record<string, string>; ports: { port: number; name: string }[]; clusterIP: string };
}

describe("a Memcached's life", function () {
  this.timeout(60_000);
  let lab: Lab;
  before(async () => (lab = await Lab.open()));
  afterEach(() => lab.stop().then(() => lab.start()));
  after(() => lab.stop());

  const deployment = (name: string) => lab.apps("deployments", name);
  const service = (name: string) => lab.core("services", name);
  const ready = async (name: string, size: number) => {
    await lab.create(name, { size });
    await lab.becomesReady(name, size);
  };

  it("creates the children and tells the truth about them, at the least cost", async () => {
    const begun = performance.now();
    await lab.create("cost", { size: 2 });
    const starting = await lab.awaitCondition("cost", "Available", "False");
    assert.deepEqual([starting.reason, starting.message], ["ServersUnavailable", "0 of 2 servers are available"]);
    await lab.makeReady("cost", 2);
    const available = await lab.awaitCondition("cost", "Available", "True");
    assert.equal(available.message, "Deployment for custom resource (cost) with 2 replicas created successfully");
    await lab.awaitCondition("cost", "Ready", "True");
    const pods = (await lab.pods("cost")).map((pod) => pod.metadata.name).sort();
    const status = await until("status.nodes to name both pods", 5_000, async () => {
      const now = await lab.status("cost");
      return now.nodes?.length === 2 && now;
    });
    assert.deepEqual(status.nodes, pods);
    assert.deepEqual(status.servers, [`cost.${lab.namespace}.svc.cluster.local:11211`]);
    assert.deepEqual([status.replicas, status.readyReplicas, status.observedGeneration], [2, 2, 1]);
    assert.equal(status.selector, "app.kubernetes.io/instance=cost,app.kubernetes.io/name=memcached");

    const seconds = Math.floor((performance.now() - begun) / 1000);
    const requests = brief(lab.requests()).filter((line) => line.includes("/cost"));
    const statusWrites = requests.filter((line) => line.endsWith("/status")).length;
    assert.ok(statusWrites <= 2 + seconds, `${statusWrites} status writes in ${seconds} s`);
    assert.deepEqual(requests.filter((line) => line.endsWith("/cost")).sort(), [
      "create deployments/cost",
      "create poddisruptionbudgets/cost",
      "create services/cost",
    ]);
    assert.ok(lab.log.some(({ msg }) => msg === "Creating a new Deployment"));
  });

  it("writes nothing after a restart", async () => {
    await ready("again", 1);
    await lab.create("fresh", { size: 1, memory: "2048Mi", resources: { limits: { cpu: "1000m", memory: "4096Mi" } } });
    await lab.awaits("the Deployment to be seen", deployment("fresh"), (d) => d.status?.observedGeneration === 1);
    await until(
      "the status of fresh to have settled",
      10_000,
      async () => (await lab.status("fresh")).nodes?.length === 1,
    );
    await lab.stop();
    const before = lab.requests().length;
    await lab.start();
    // A change of another resource, made later, is handled after all that the start brought up.
    await lab.create("probe", { size: 0 });
    await lab.awaitCondition("probe", "Ready", "True");
    const since = brief(lab.requests().slice(before));
    assert.deepEqual(
      since.filter((line) => !line.includes("/probe")),
      [],
    );
  });

  it("mattermost/mattermost-operator#289: gives addresses another domain by one write of the status, and restarts nothing", async () => {
    await ready("named", 1);
    const pods = await lab.pods("named");
    const found = await lab.get(deployment("named"));
    await lab.stop();
    const before = lab.requests().length;
    await lab.start({ clusterDomain: "k8s.example.com" });
    const address = `named.${lab.namespace}.svc.k8s.example.com:11211`;
    await until("the new address", 10_000, async () => (await lab.status("named")).servers?.join() === address);
    await lab.create("after", { size: 0 });
    await lab.awaitCondition("after", "Ready", "True");
    const since = brief(lab.requests().slice(before)).filter((line) => line.includes("/named"));
    assert.deepEqual(since, ["patch memcacheds/named/status"]);
    const uids = (all: KubeObject[]) => all.map(({ metadata }) => metadata.uid);
    assert.deepEqual(uids(await lab.pods("named")), uids(pods));
    assert.equal((await lab.get(deployment("named")))?.metadata.generation, found?.metadata.generation);
  });

  it("resizes by kubectl scale's subresource, and to zero", async () => {
    await ready("sized", 1);
    await lab.patch(`${lab.server.at("v1", "sized")}/scale`, { spec: { replicas: 3 } });
    await lab.awaits("three replicas", deployment("sized"), ({ spec }) => spec?.replicas === 3);
    const short = await lab.awaitCondition("sized", "Available", "False");
    assert.equal(short.message, "1 of 3 servers are available");
    await lab.becomesReady("sized", 3);
    assert.equal((await lab.status("sized")).nodes?.length, 3);
    await lab.patch(lab.server.at("v1", "sized"), { spec: { size: 0 } });
    await until("no pods to be left", 10_000, async () => (await lab.pods("sized")).length === 0);
    await until("status.nodes to be empty", 10_000, async () => (await lab.status("sized")).nodes?.length === 0);
    const status = await lab.status("sized");
    assert.equal(status.conditions?.find(({ type }) => type === "Ready")?.status, "True");
    assert.equal(status.observedGeneration, 3);
  });

  it("heals drift in its own fields and leaves the fields of others", async () => {
    await ready("drift", 1);
    await lab.patch(deployment("drift"), {
      metadata: { annotations: { "example.com/mine": "kept" } },
      spec: { template: { metadata: { annotations: { "example.com/injected": "kept" } } } },
    });
    const containers = [
      { name: "sidecar", image: "example.com/sidecar:1" },
      { name: "memcached", image: "example.com/forged:1", env: [{ name: "INJECTED", value: "kept" }] },
    ];
    const sidecar = { spec: { template: { spec: { containers } } } };
    await lab.server.ask("PATCH", deployment("drift"), sidecar, "application/strategic-merge-patch+json");
    await lab.patch(deployment("drift"), { metadata: { labels: { "app.kubernetes.io/name": "other" } } });
    await lab.patch(deployment("drift"), { spec: { replicas: 7 } });
    await lab.patch(service("drift"), { spec: { selector: { "app.kubernetes.io/instance": "elsewhere" } } });
    const healed = await lab.awaits<Deployment>(
      "the Deployment to be healed",
      deployment("drift"),
      ({ spec, metadata }) =>
        spec.replicas === 1 &&
        metadata.labels?.["app.kubernetes.io/name"] === "memcached" &&
        spec.template.spec.containers.some(({ image }) => image === environment.image),
    );
    const [own, theirs] = ["memcached", "sidecar"].map((name) =>
      healed.spec.template.spec.containers.find((container) => container.name === name),
    );
    assert.equal(theirs?.image, "example.com/sidecar:1");
    assert.deepEqual(own?.env, [{ name: "INJECTED", value: "kept" }]);
    assert.equal(healed.metadata.annotations?.["example.com/mine"], "kept");
    assert.equal(healed.spec.template.metadata.annotations?.["example.com/injected"], "kept");
    await lab.awaits<Service>(
      "the Service to be healed",
      service("drift"),
      ({ spec }) => spec.selector["app.kubernetes.io/instance"] === "drift",
    );
  });

  it("takes its reference up again when someone takes it off", async () => {
    await ready("released", 1);
    const { uid } = (await lab.patch(deployment("released"), { metadata: { ownerReferences: null } })).metadata;
    const healed = await lab.awaits("the reference", deployment("released"), (d) => d.metadata.ownerReferences?.length);
    assert.equal(healed.metadata.uid, uid);
    assert.equal((await lab.awaitCondition("released", "Ready", "True")).status, "True");
  });

  it("lets its children be orphaned, and adopts them when it is made anew", async () => {
    await ready("orphan", 1);
    const [first] = await lab.pods("orphan");
    await lab.delete(lab.server.at("v1", "orphan"), "Orphan");
    await until("the resource to be gone", 45_000, async () => !(await lab.get(lab.server.at("v1", "orphan"))));
    const left = await Promise.all([lab.get(deployment("orphan")), lab.get(service("orphan"))]);
    assert.deepEqual(
      left.map((child) => child?.metadata.ownerReferences ?? []),
      [[], []],
    );
    const requests = lab.requests().length;
    const { metadata } = await lab.create("orphan", { size: 1 });
    for (const path of [deployment("orphan"), service("orphan")])
      await lab.awaits("its owner", path, (child) => child.metadata.ownerReferences?.[0]?.uid === metadata.uid);
    await lab.awaitCondition("orphan", "Ready", "True");
    assert.deepEqual((await lab.status("orphan")).nodes, [first?.metadata.name]);
    const writes = brief(lab.requests().slice(requests)).filter((line) => /^(create|delete) (dep|serv)/.test(line));
    assert.deepEqual(writes, []);
  });

  it("is scaled by a HorizontalPodAutoscaler that acts on it (operator-framework/operator-sdk#3367)", async () => {
    await ready("scaled", 1);
    const hpa = `/apis/autoscaling/v2/namespaces/${lab.namespace}/horizontalpodautoscalers`;
    await lab.server.client.json("POST", hpa, {
      apiVersion: "autoscaling/v2",
      kind: "HorizontalPodAutoscaler",
      metadata: { name: "scaled" },
      spec: {
        scaleTargetRef: { apiVersion: "cache.example.com/v1", kind: "Memcached", name: "scaled" },
        minReplicas: 2,
        maxReplicas: 4,
      },
    });
    await until("two pods", 40_000, async () => (await lab.readyPods("scaled")) === 2);
    await lab.awaitCondition("scaled", "Ready", "True");
    const { spec } = (await lab.get<KubeObject & { spec: { size: number } }>(lab.server.at("v1", "scaled"))) ?? {};
    assert.equal(spec?.size, 2);
  });

  it("brings back children that are deleted", async () => {
    await ready("gone", 1);
    const [first, second] = [await lab.get(deployment("gone")), await lab.get(service("gone"))];
    await lab.delete(deployment("gone"), "Foreground");
    await lab.delete(service("gone"));
    await lab.awaits("a new Deployment", deployment("gone"), ({ metadata }) => metadata.uid !== first?.metadata.uid);
    await lab.awaits("a new Service", service("gone"), ({ metadata }) => metadata.uid !== second?.metadata.uid);
    await lab.becomesReady("gone", 1);
  });

  it("moves the port in one rollout, and takes back fields that the spec no longer has", async () => {
    await lab.create("moved", { size: 1, imagePullSecrets: [{ name: "registry" }] });
    await lab.becomesReady("moved", 1);
    // Changed while no operator runs: what the fields were before is known from the child alone.
    await lab.stop();
    await lab.patch(lab.server.at("v1", "moved"), { spec: { port: 11311, imagePullSecrets: null } });
    await lab.start();
    const moved = await lab.awaits<Deployment>("the new port", deployment("moved"), ({ spec }) =>
      spec.template.spec.containers[0]?.args?.includes("--port=11311"),
    );
    assert.equal((moved.spec.template.spec as { imagePullSecrets?: unknown }).imagePullSecrets, undefined);
    assert.equal(moved.metadata.generation, 2);
    const { spec } = await lab.awaits<Service>(
      "the Service to follow",
      service("moved"),
      ({ spec }) => spec.ports.length === 1 && spec.ports[0]?.port === 11311,
    );
    assert.equal(spec.ports[0]?.name, "memcached");
    await until("status.servers to follow", 5_000, async () =>
      (await lab.status("moved")).servers?.[0]?.endsWith(":11311"),
    );
  });

  it("is not ready before the rollout is, while the old servers stay available (openstack-k8s-operators/neutron-operator#335)", async () => {
    await ready("rolling", 2);
    await lab.patch(lab.server.at("v1", "rolling"), { spec: { image: "example.com/memcached:2" } });
    const notReady = await lab.awaitCondition("rolling", "Ready", "False");
    assert.equal(notReady.reason, "RollingOut");
    await until("the first new pod", 10_000, async () => (await lab.pods("rolling")).length === 3);
    const { conditions } = await lab.status("rolling");
    assert.equal(conditions?.find(({ type }) => type === "Available")?.status, "True");
    await until("the rollout to end", 20_000, async () => {
      await lab.readyPods("rolling");
      return (await lab.status("rolling")).conditions?.some(
        ({ type, status }) => type === "Ready" && status === "True",
      );
    });
    const images = (await lab.get<Deployment>(deployment("rolling")))?.spec.template.spec.containers.map(
      (c) => c.image,
    );
    assert.deepEqual(images, ["example.com/memcached:2"]);
    assert.equal((await lab.status("rolling")).readyReplicas, 2);
  });

  it("restores a status that was wiped (operator-framework/operator-sdk#4679)", async () => {
    await ready("wiped", 1);
    await lab.patch(`${lab.server.at("v1", "wiped")}/status`, { status: null });
    await lab.awaitCondition("wiped", "Ready", "True");
    assert.equal((await lab.status("wiped")).observedGeneration, 1);
  });

  it("writes nothing for what is being deleted, and goes in the foreground (ClickHouse/clickhouse-operator#309)", async () => {
    await ready("leaving", 1);
    await lab.patch(lab.server.at("v1", "leaving"), { metadata: { finalizers: ["example.com/hold"] } });
    await lab.delete(lab.server.at("v1", "leaving"), "Foreground");
    // The garbage collector looks for new kinds, such as ours, every 30 s.
    await until("the children to be gone", 45_000, async () => {
      const children = await Promise.all([lab.get(deployment("leaving")), lab.get(service("leaving"))]);
      return children.every((child) => child === undefined);
    });
    const before = lab.requests().length;
    await lab.create("later", { size: 0 });
    await lab.awaitCondition("later", "Ready", "True");
    const since = brief(lab.requests().slice(before)).filter((line) => line.includes("/leaving"));
    assert.deepEqual(since, []);
    await lab.patch(lab.server.at("v1", "leaving"), { metadata: { finalizers: null } });
    await until("the resource to be gone", 15_000, async () => !(await lab.get(lab.server.at("v1", "leaving"))));
    await until("the log to say so", 5_000, () =>
      lab.log.some(({ msg }) => msg === "memcached resource not found. Ignoring since object must be deleted"),
    );
  });

  it("is made anew under the same name at once", async () => {
    await ready("reborn", 1);
    const old = await lab.get(deployment("reborn"));
    await lab.delete(lab.server.at("v1", "reborn"));
    const { metadata } = await lab.create("reborn", { size: 1 });
    const fresh = await lab.awaits(
      "a Deployment of the new resource",
      deployment("reborn"),
      (found) => found.metadata.ownerReferences?.[0]?.uid === metadata.uid,
    );
    assert.notEqual(fresh.metadata.uid, old?.metadata.uid);
    await lab.becomesReady("reborn", 1);
  });
});
