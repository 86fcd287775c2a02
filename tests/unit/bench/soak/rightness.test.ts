import assert from "node:assert/strict";
import { Cache } from "../../../../bench/soak/model";
import { type Deployment, type Memcached, type Seen, type Service, wrongsOf } from "../../../../bench/soak/rightness";

const spec = { size: 2, port: 11212, memory: "128Mi", image: "registry.example.com/memcached:1" };
const selector = { "app.kubernetes.io/name": "memcached", "app.kubernetes.io/instance": "cache-1" };
const labels = {
  ...selector,
  "app.kubernetes.io/component": "cache",
  "app.kubernetes.io/managed-by": "memcached-operator",
};

function rightCache(): Cache {
  const cache = new Cache("soak-1", "cache-1");
  cache.spec = { ...spec };
  return cache;
}

function right() {
  const metadata = { name: "cache-1", namespace: "soak-1" };
  const condition = (type: string, status: "True" | "False") => ({
    ...{ type, status, reason: "R", message: "", lastTransitionTime: "", observedGeneration: 3 },
  });
  const memcached: Memcached = {
    metadata: { ...metadata, uid: "m", generation: 3 },
    spec: { ...spec },
    status: {
      observedGeneration: 3,
      conditions: [
        condition("Available", "True"),
        condition("Progressing", "False"),
        condition("Degraded", "False"),
        condition("Ready", "True"),
      ],
      servers: ["cache-1.soak-1.svc.cluster.local:11212"],
      replicas: 2,
      readyReplicas: 2,
    },
  };
  const owner = { apiVersion: "cache.example.com/v1", kind: "Memcached", name: "cache-1", uid: "m", controller: true };
  const child = (uid: string) => ({ ...metadata, uid, labels: { ...labels }, ownerReferences: [owner] });
  const container = {
    name: "memcached",
    image: spec.image,
    args: ["--port=11212", "--memory-limit=128"],
    ports: [{ name: "memcached", containerPort: 11212 }],
    resources: { limits: { memory: "231Mi" } },
  };
  const template = { metadata: { labels: { ...labels } }, spec: { containers: [container] } };
  const deployment: Deployment = {
    metadata: child("d"),
    spec: { replicas: 2, selector: { matchLabels: { ...selector } }, template },
  };
  const service: Service = {
    metadata: child("s"),
    spec: {
      clusterIP: "None",
      selector: { ...selector },
      ports: [{ port: 11212, targetPort: "memcached" }],
    },
  };
  return { memcached, deployment, service, container, owner };
}

describe("soak: what is right", () => {
  it("finds nothing wrong where nothing is", () => {
    const { memcached, deployment, service } = right();
    assert.deepEqual(wrongsOf(rightCache(), { memcached, deployment, service }), []);
    assert.deepEqual(wrongsOf(new Cache("soak-1", "cache-1"), {}), []);
  });

  const spoilt: [what: string, spoil: (seen: ReturnType<typeof right>) => unknown, says: RegExp][] = [
    ["another spec", (s) => (s.memcached.spec.size = 3), /^the spec: size is 3, not 2$/],
    ["another size", (s) => (s.deployment.spec.replicas = 3), /^the Deployment: replicas is 3, not 2$/],
    ["another image", (s) => (s.container.image = "other"), /^the Deployment: image is other/],
    ["another port", (s) => s.container.args.push("-p11213"), /^the server's flags: port is 11213, not 11212$/],
    ["less memory", (s) => s.container.args.push("--memory-limit=64"), /^the server's flags: memory is 64, not 128$/],
    ["a limit below the items", (s) => (s.container.resources.limits.memory = "100Mi"), /^the memory limit/],
    ["an earlier owner", (s) => (s.owner.uid = "before"), /^the (Deployment|Service) is not owned by it/],
    ["a lost label", (s) => delete s.service.metadata.labels?.["app.kubernetes.io/managed-by"], /Service's labels/],
    [
      "a Service that leads elsewhere",
      (s) => (s.service.spec.ports = [{ port: 1, targetPort: 1 }]),
      /^the Service leads/,
    ],
    ["a Service that selects others", (s) => (s.service.spec.selector = { app: "b" }), /^what the Service selects/],
    [
      "a child that is going",
      (s) => (s.service.metadata.deletionTimestamp = new Date()),
      /^the Service is being deleted$/,
    ],
    ["an old status", (s) => (s.memcached.metadata.generation = 4), /^the status is of generation 3, 3.*, not 4$/],
    ["no status", (s) => (s.memcached.status = undefined), /^the (status|conditions)|^status/],
    ["a resource that is not ready", (s) => (s.memcached.status!.conditions![3]!.status = "False"), /Ready is False/],
    ["the wrong address", (s) => (s.memcached.status!.servers = ["a:1"]), /^status.servers is a:1/],
  ];
  for (const [what, spoil, says] of spoilt)
    it(`sees ${what}`, () => {
      const seen = right();
      spoil(seen);
      const { memcached, deployment, service } = seen;
      const wrong = wrongsOf(rightCache(), { memcached, deployment, service });
      assert.ok(wrong.length > 0);
      for (const each of wrong) assert.match(each, says);
    });

  it("sees children that are missing, and those left of what is deleted", () => {
    const { memcached, deployment, service } = right();
    assert.deepEqual(wrongsOf(rightCache(), { memcached, deployment }), ["has no Service"]);
    assert.deepEqual(wrongsOf(rightCache(), {}), ["is not there"]);
    const deleted: Seen = { memcached: undefined, service };
    assert.deepEqual(wrongsOf(new Cache("soak-1", "cache-1"), deleted), ["is deleted, but its service is there"]);
  });

  it("sees that an annotation of others is gone, as long as it is the same Deployment", () => {
    const { memcached, deployment, service } = right();
    const cache = rightCache();
    cache.mark = { uid: "d", value: "1" };
    assert.deepEqual(wrongsOf(cache, { memcached, deployment, service }), ["an annotation of someone else is gone"]);
    cache.mark = { uid: "before", value: "1" };
    assert.deepEqual(wrongsOf(cache, { memcached, deployment, service }), []);
  });
});
