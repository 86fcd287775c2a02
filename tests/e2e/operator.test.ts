import assert from "node:assert/strict";
import { addressesOf, storeAndRead } from "../../scripts/stack/readBack";
import type { Memcached } from "../../api";
import { deployOperator, testCluster, type TestCluster, undeployOperator } from "../support/testCluster";
import { until } from "../support/until";

const NAMESPACE = "caches";
const PATH = `/apis/cache.example.com/v1/namespaces/${NAMESPACE}/memcacheds`;

/** Milliseconds for what needs pods to start or end. */
const PODS_MS = 90_000;

describe("the operator on real pods", function () {
  this.timeout(180_000);
  let cluster: TestCluster;

  const cache = (name: string) => cluster.client.json<Memcached>("GET", `${PATH}/${name}`);
  const condition = (object: Memcached, type: string) => object.status?.conditions?.find((c) => c.type === type);
  const apply = (name: string, spec: object, version = "v1") =>
    cluster.kubectlRun(
      ["apply", "-f", "-"],
      JSON.stringify({
        apiVersion: `cache.example.com/${version}`,
        kind: "Memcached",
        metadata: { name, namespace: NAMESPACE },
        spec,
      }),
    );
  const ready = (name: string, size: number) =>
    until(`${name} to be ready with ${size} servers`, PODS_MS, async () => {
      const object = await cache(name);
      const { status } = object;
      const settled = condition(object, "Ready")?.observedGeneration === object.metadata.generation;
      const isReady = condition(object, "Ready")?.status === "True" && status?.nodes?.length === size;
      if (settled && isReady && status?.readyReplicas === size) return object;
      throw new Error(JSON.stringify(status));
    });

  before(async () => {
    cluster = await testCluster();
    await deployOperator(cluster);
    await cluster.kubectlRun(["create", "namespace", NAMESPACE]);
    const system = ["-n", "memcached-operator-system", "deployment/memcached-operator-controller-manager"];
    await cluster.kubectlRun(["rollout", "status", "--timeout=90s", ...system]);
  });

  it("runs restricted, as a numeric user, with a read-only root, under the restricted Pod Security standard", async () => {
    await cluster.kubectlRun(["label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted"]);
    const { stderr } = await cluster.kubectlTry([
      ...["label", "--dry-run=server", "--overwrite", "namespace", "memcached-operator-system"],
      "pod-security.kubernetes.io/enforce=restricted",
    ]);
    assert.doesNotMatch(stderr, /violate/);
  });

  it("nodejs/node#64646: has a heap whose ceiling is three quarters of the memory limit, and follows it", async () => {
    const deployment = ["-n", "memcached-operator-system", "deployment/memcached-operator-controller-manager"];
    const ceiling = async () => {
      const logs = await cluster.kubectlRun(["logs", ...deployment]);
      return Number(/"heapCeilingMiB":(\d+)/.exec(logs)?.[1]);
    };
    const isFor = (limitMiB: number) => async () => Math.abs((await ceiling()) - 0.75 * limitMiB) < 8;
    await until("the ceiling for 256Mi", 10_000, isFor(256));
    await cluster.kubectlRun(["set", "resources", ...deployment, "--limits=memory=512Mi"]);
    await until("the ceiling for 512Mi", PODS_MS, isFor(512));
    await cluster.kubectlRun(["rollout", "status", "--timeout=90s", ...deployment]);
  });

  it("runs a cache that stores and gives back values", async () => {
    await apply("first", { size: 1 });
    const object = await ready("first", 1);
    assert.deepEqual(object.status?.servers, [`first.${NAMESPACE}.svc.cluster.local:11211`]);
    assert.equal((await storeAndRead(cluster.settings, object.status?.servers ?? [])).addresses.length, 1);
  });

  it("scales by kubectl scale: three nodes, and three pods that answer", async () => {
    await cluster.kubectlRun(["scale", "memcached/first", "--replicas=3", "-n", NAMESPACE]);
    const object = await ready("first", 3);
    const pods = await cluster.kubectlRun(["get", "pods", "-n", NAMESPACE, "-o", "name"]);
    assert.deepEqual(
      object.status?.nodes,
      pods
        .trim()
        .split("\n")
        .map((name) => name.replace("pod/", ""))
        .sort(),
    );
    const addresses = await until("three addresses", PODS_MS, async () => {
      const found = await addressesOf(cluster.settings, object.status?.servers?.[0] ?? "");
      return found.length === 3 && found;
    });
    for (const address of addresses) await storeThrough(address);
  });

  it("replaces a pod that was deleted", async () => {
    const [victim] = (await cache("first")).status?.nodes ?? [];
    await cluster.kubectlRun(["delete", "pod", String(victim), "-n", NAMESPACE, "--wait=false"]);
    await until(
      "the pod to leave status.nodes",
      PODS_MS,
      async () => !(await cache("first")).status?.nodes?.includes(String(victim)),
    );
    await ready("first", 3);
  });

  it("brings back a Deployment that was deleted", async () => {
    const before = (await ready("first", 3)).status?.nodes ?? [];
    await cluster.kubectlRun(["delete", "deployment", "first", "-n", NAMESPACE]);
    await until("three other pods", PODS_MS, async () => {
      const { nodes } = (await ready("first", 3)).status ?? {};
      return nodes?.every((node) => !before.includes(node));
    });
  });

  it("says why a bad image does not run, and heals when it is corrected", async () => {
    await apply("pictured", { size: 1, image: "localhost/there-is-no:such-image", imagePullPolicy: "Never" });
    const degraded = await until("Degraded to be True", PODS_MS, async () => {
      const found = condition(await cache("pictured"), "Degraded");
      return found?.status === "True" && found;
    });
    assert.match(`${degraded.reason} ${degraded.message}`, /ErrImageNeverPull.*no:such-image/s);
    const { stdout: events } = await cluster.kubectlTry([
      ...[
        "get",
        "events",
        "-n",
        NAMESPACE,
        "-o",
        "json",
        "--field-selector",
        "involvedObject.name=pictured,type=Warning",
      ],
    ]);
    assert.match(events, /ErrImageNeverPull/);
    await apply("pictured", { size: 1, image: cluster.images.memcached });
    const healed = await ready("pictured", 1);
    assert.equal(condition(healed, "Degraded")?.status, "False");
  });

  it("says why a server refuses its arguments in the server's own words, within 10 s of its first end", async () => {
    await apply("argued", { size: 1, extraArgs: ["-o", "hashpower=11"] });
    await until("the server's first end", PODS_MS, async () => {
      const pods = await cluster.kubectlRun([
        ...["get", "pods", "-n", NAMESPACE, "-l", "app.kubernetes.io/instance=argued"],
        ...["-o", "jsonpath={.items[*].status.containerStatuses[*].restartCount}"],
      ]);
      return Number(pods) > 0;
    });
    const degraded = await until("Degraded to be True", 10_000, async () => {
      const found = condition(await cache("argued"), "Degraded");
      return found?.status === "True" && found;
    });
    assert.match(degraded.message, /exit code 1: Initial hashtable multiplier of 11 is too low$/);
    await apply("argued", { size: 1 });
    await ready("argued", 1);
  });

  it("says that pods are evicted, in the kubelet's words, and heals when there is room for them", async () => {
    const resources = { limits: { memory: "64Mi", "ephemeral-storage": "1" } };
    await apply("evicted", { size: 1, memory: "16Mi", resources });
    const degraded = await until("Degraded to be True", 2 * PODS_MS, async () => {
      const found = condition(await cache("evicted"), "Degraded");
      return found?.status === "True" && found;
    });
    assert.match(`${degraded.reason}: ${degraded.message}`, /^Evicted: pods fail repeatedly: Evicted: .*storage/s);
    assert.equal(condition(await cache("evicted"), "Ready")?.status, "False");
    await apply("evicted", { size: 1, memory: "16Mi" });
    assert.equal(condition(await ready("evicted", 1), "Degraded")?.status, "False");
  });

  it("zalando/postgres-operator#1600: gets a change through where each node holds a server already, and says what it takes", async () => {
    const alone = (name: string) => ({
      podAntiAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: [
          {
            topologyKey: "kubernetes.io/hostname",
            labelSelector: { matchLabels: { "app.kubernetes.io/instance": name } },
          },
        ],
      },
    });
    const change = (name: string, spec: object) => {
      const patch = ["--type=merge", "-p", JSON.stringify({ spec })];
      return cluster.kubectlRun(["patch", "memcached", name, "-n", NAMESPACE, ...patch]);
    };
    const small = { size: 1, memory: "16Mi" };
    await apply("packed", { ...small, affinity: alone("packed") });
    await apply("packed-stateful", { ...small, affinity: alone("packed-stateful"), workload: "StatefulSet" });
    const [before] = (await ready("packed", 1)).status?.nodes ?? [];
    await ready("packed-stateful", 1);
    for (const name of ["packed", "packed-stateful"]) await change(name, { verbosity: 2 });
    const stuck = await until("Ready to say what to set", PODS_MS, async () => {
      const found = condition(await cache("packed"), "Ready");
      return found?.reason === "Unschedulable" && found;
    });
    assert.match(
      stuck.message,
      /^1 of 1 servers are ready, but every node already runs a server of this cache: set spec\.rollout\.maxUnavailable to 1, so that one server at a time is unavailable with its items \(pod /,
    );
    await change("packed", { rollout: { maxUnavailable: 1 } });
    const [after] = (await ready("packed", 1)).status?.nodes ?? [];
    assert.notEqual(after, before);
    await ready("packed-stateful", 1);
  });

  it("says of a Service of type LoadBalancer that it has no address, on a cluster that gives none", async () => {
    await apply("balanced", { size: 1, memory: "16Mi", service: { type: "LoadBalancer" } });
    const waits = await until("Ready to say what it waits for", PODS_MS, async () => {
      const found = condition(await cache("balanced"), "Ready");
      return found?.reason === "AwaitingAddress" && found;
    });
    assert.match(waits.message, /^1 of 1 servers are ready, but Service caches\/balanced has no address yet/);
    const described = await cluster.kubectlRun(["describe", "memcached", "balanced", "-n", NAMESPACE]);
    for (const done of ["Created Deployment balanced", "Created Service balanced"])
      assert.ok(described.includes(done), described);
  });

  it("runs the guides' samples as they stand", async () => {
    for (const [name, version, size] of [
      ["guide-v1", "v1", 3],
      ["guide-v1alpha1", "v1alpha1", 1],
    ] as const) {
      await apply(name, { size }, version);
      await ready(name, size);
    }
  });

  it("takes everything of a cache away with it", async () => {
    await cluster.kubectlRun(["delete", "memcacheds", "--all", "-n", NAMESPACE]);
    await until("all children to be gone", PODS_MS, async () => {
      const found = await cluster.kubectlRun([
        "get",
        "deployments,services,pods,replicasets",
        "-n",
        NAMESPACE,
        "-o",
        "name",
      ]);
      if (found.trim()) throw new Error(found);
      return true;
    });
  });

  it("is gone after npm run undeploy, the CRD and every cache included", async () => {
    await apply("last", { size: 1 });
    await ready("last", 1);
    await undeployOperator(cluster);
    const left = ["get", "crd,clusterroles,clusterrolebindings,namespaces,pods", "-A", "-o", "name"];
    await until("all of it to be gone", PODS_MS, async () => {
      const found = (await cluster.kubectlRun(left))
        .split("\n")
        .filter((name) => /memcached(s\.cache|-operator)|\/last-/.test(name));
      if (found.length > 0) throw new Error(found.join(", "));
      return true;
    });
  });

  async function storeThrough(address: string): Promise<void> {
    const { Client } = await import("memjs");
    const client = Client.create(address, { timeout: 2 });
    try {
      await client.set("key", address, { expires: 60 });
      assert.equal((await client.get("key")).value?.toString(), address);
    } finally {
      client.close();
    }
  }
});
