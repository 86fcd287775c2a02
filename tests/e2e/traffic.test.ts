import assert from "node:assert/strict";
import type { V1EndpointSlice, V1Pod } from "@kubernetes/client-node";
import type { Memcached } from "../../api";
import { addressesOf, storeAndRead } from "../../scripts/stack/readBack";
import { deployOperator, testCluster, type TestCluster, undeployOperator } from "../support/testCluster";
import { until } from "../support/until";
import { Clients } from "./support/clients";

const NAMESPACE = "traffic";
const PATH = `/apis/cache.example.com/v1/namespaces/${NAMESPACE}/memcacheds`;

/** Milliseconds for what needs pods to start or end. */
const PODS_MS = 60_000;

const KEYS = 1000;

interface Each {
  addresses: string[];
  value: string;
}

/** What steady.py says. */
interface Steady {
  operations: number;
  lost: [second: number, errors: string[]][];
  passed: Record<string, number>;
}

describe("applications and their caches", function () {
  this.timeout(180_000);
  let cluster: TestCluster;
  let clients: Clients;

  const cache = (name: string) => cluster.client.json<Memcached>("GET", `${PATH}/${name}`);
  const condition = (object: Memcached, type: string) => object.status?.conditions?.find((c) => c.type === type);
  const servers = (object: Memcached) => object.status?.servers ?? [];
  const namesOf = (name: string, size: number) =>
    Array.from({ length: size }, (_, i) => `${name}-${i}.${name}.${NAMESPACE}.svc.cluster.local:11211`);

  const apply = (name: string, spec: object) =>
    cluster.kubectlRun(
      ["apply", "-f", "-"],
      JSON.stringify({
        apiVersion: "cache.example.com/v1",
        kind: "Memcached",
        metadata: { name, namespace: NAMESPACE },
        spec: { memory: "16Mi", threads: 1, ...spec },
      }),
    );

  const ready = (name: string, size: number) =>
    until(`${name} to be ready with ${size} servers`, PODS_MS, async () => {
      const object = await cache(name);
      const found = condition(object, "Ready");
      const isCurrent = found?.observedGeneration === object.metadata.generation;
      if (isCurrent && found?.status === "True" && object.status?.nodes?.length === size) return object;
      throw new Error(JSON.stringify(object.status));
    });

  /** UID of each pod of a cache by its name. */
  const uids = async (name: string) => {
    const selector = encodeURIComponent(`app.kubernetes.io/instance=${name}`);
    const path = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=${selector}`;
    const { items } = await cluster.client.json<{ items: V1Pod[] }>("GET", path);
    return Object.fromEntries(items.map(({ metadata }) => [metadata?.name, metadata?.uid]));
  };

  const each = async (names: readonly string[]) =>
    JSON.parse(await clients.python("each.py", ...names)) as Record<string, Each>;
  const keys = async <T>(action: "set" | "get", names: readonly string[]) =>
    JSON.parse(await clients.python("keys.py", action, String(KEYS), ...names)) as T;
  const get = (names: readonly string[]) => keys<{ hits: number; wrong: number }>("get", names);

  before(async () => {
    cluster = await testCluster();
    await deployOperator(cluster);
    await cluster.kubectlRun(["create", "namespace", NAMESPACE]);
    await cluster.kubectlRun(["label", "namespace", NAMESPACE, "pod-security.kubernetes.io/enforce=restricted"]);
    // All of them start while the client does.
    await apply("stable", { size: 3, workload: "StatefulSet" });
    await apply("pooled", { size: 3 });
    await apply("moved", { size: 2 });
    clients = await Clients.start(cluster, NAMESPACE);
  });

  after(async () => {
    if (!cluster) return;
    await cluster.kubectlTry(["delete", "namespace", NAMESPACE, "--ignore-not-found", "--wait=false"]);
    await undeployOperator(cluster);
  });

  describe("a StatefulSet of three", () => {
    it("has three names, each of one server of its own, for pymemcache and for memjs in a pod", async () => {
      const object = await ready("stable", 3);
      const names = namesOf("stable", 3);
      assert.deepEqual(servers(object), names);
      const found = await each(servers(object));
      assert.deepEqual(Object.keys(found), names);
      const addresses = new Set<string>();
      for (const [name, { addresses: of, value }] of Object.entries(found)) {
        assert.equal(of.length, 1, `${name}: ${of.join(", ")}`);
        of.forEach((address) => addresses.add(address));
        assert.equal(value, name);
      }
      assert.equal(addresses.size, 3);
      // Were two names one server, the value of the later would stand in both.
      assert.deepEqual(await each(servers(object)), found);
      const mine = Object.fromEntries(names.map((name) => [name, name]));
      assert.deepEqual(await clients.memjsEach(servers(object)), mine);
    });

    it("stores and reads from outside the pods by the addresses of the names", async () => {
      const { addresses } = await storeAndRead(cluster.settings, servers(await ready("stable", 3)));
      assert.equal(addresses.length, 3);
    });

    it("keeps the servers, and so all keys but those of the new one, when it grows at the tail and shrinks again", async () => {
      const three = servers(await ready("stable", 3));
      const before = await uids("stable");
      assert.deepEqual(await keys("set", three), { stored: KEYS });

      await cluster.kubectlRun(["scale", "memcached/stable", "--replicas=4", "-n", NAMESPACE]);
      const four = servers(await ready("stable", 4));
      assert.deepEqual(four, namesOf("stable", 4));
      const { hits, wrong } = await get(four);
      // Of four servers the new one takes a fourth of the keys: 750 stay, with a standard deviation of 14.
      assert.ok(hits >= 700 && hits <= 800, `${hits} of ${KEYS} keys found`);
      assert.equal(wrong, 0);

      await cluster.kubectlRun(["scale", "memcached/stable", "--replicas=3", "-n", NAMESPACE]);
      assert.deepEqual(servers(await ready("stable", 3)), three);
      assert.deepEqual(await get(three), { hits: KEYS, wrong: 0 });
      const after = await uids("stable");
      for (const [pod, uid] of Object.entries(before)) assert.equal(after[pod], uid, pod);
    });
  });

  describe("names, for clients that ask DNS themselves", () => {
    const srv = (name: string) => `_memcached._tcp.${name}.${NAMESPACE}.svc.cluster.local`;
    const targets = async (name: string) => {
      const found = await clients.resolveSrv(name);
      if (typeof found === "string") throw new Error(`${name}: ${found}`);
      return found.map(({ name, port }) => `${name}:${port}`).sort();
    };

    it("mattermost/mattermost-operator#289, weaviate/weaviate-helm#175: are found without a search list", async () => {
      for (const object of [await ready("stable", 3), await ready("pooled", 3)])
        for (const server of servers(object)) {
          const found = await clients.resolve4(server.split(":")[0] ?? "");
          assert.ok(Array.isArray(found), `${server}: ${String(found)}`);
        }
      const logs = ["logs", "-n", "memcached-operator-system", "deploy/memcached-operator-controller-manager"];
      assert.doesNotMatch(await cluster.kubectlRun(logs), /Using the default cluster domain/);
    });

    it("grafana/loki#3070, fluxcd/flux#1591: stand in SRV records of the port memcached, those of a StatefulSet also while no server is ready", async () => {
      await ready("stable", 3);
      assert.deepEqual(await targets(srv("stable")), namesOf("stable", 3));
      assert.equal(await clients.resolveSrv(srv("stable").replace("_memcached.", "_memcached-client.")), "ENOTFOUND");

      await apply("starting", {
        size: 2,
        workload: "StatefulSet",
        image: "example.com/none:1",
        imagePullPolicy: "Never",
      });
      // Asked too early, the cluster's DNS keeps its answer that there are none.
      const slices = `/apis/discovery.k8s.io/v1/namespaces/${NAMESPACE}/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dstarting`;
      await until("the pods to have addresses", PODS_MS, async () => {
        const { items } = await cluster.client.json<{ items: V1EndpointSlice[] }>("GET", slices);
        return items[0]?.endpoints?.length === 2;
      });
      const found = await until("SRV records of servers that are not ready", PODS_MS, async () => {
        const now = await targets(srv("starting"));
        return now.length === 2 && now;
      });
      assert.deepEqual(found, namesOf("starting", 2));
      assert.equal((await cache("starting")).status?.readyReplicas, 0);
    });

    it("of a Deployment's servers in SRV records are made of their addresses", async () => {
      await ready("pooled", 3);
      const found = await targets(srv("pooled"));
      assert.equal(found.length, 3);
      for (const target of found)
        assert.match(target, new RegExp(`^[-0-9]+\\.pooled\\.${NAMESPACE}\\.svc\\.cluster\\.local:11211$`));
    });
  });

  describe("a Deployment of three", () => {
    it("has one name, which gives the addresses of all its servers", async () => {
      const object = await ready("pooled", 3);
      const name = `pooled.${NAMESPACE}.svc.cluster.local:11211`;
      assert.deepEqual(servers(object), [name]);
      const path = `/api/v1/namespaces/${NAMESPACE}/pods?labelSelector=app.kubernetes.io%2Finstance%3Dpooled`;
      const { items } = await cluster.client.json<{ items: V1Pod[] }>("GET", path);
      const addresses = items.map(({ status }) => status?.podIP).sort();
      assert.equal(addresses.length, 3);
      assert.deepEqual((await each([name]))[name], { addresses, value: name });
      assert.deepEqual(
        await addressesOf(cluster.settings, name),
        addresses.map((address) => `${address}:11211`),
      );
    });
  });

  describe("a drain of the node", () => {
    it("takes one server at a time, and never the last that serves", async () => {
      await apply("drained", { size: 2 });
      await ready("drained", 2);
      const node = (await cluster.kubectlRun(["get", "nodes", "-o", "name"])).trim().replace("node/", "");
      await clients.remove("/tmp/stop", "/tmp/started");
      const steady = clients.python("steady.py", `drained.${NAMESPACE}.svc.cluster.local:11211`);
      steady.catch(() => undefined);
      await clients.awaitFile("/tmp/started");
      try {
        const servers = "--pod-selector=app.kubernetes.io/instance=drained";
        const { code, stderr } = await cluster.kubectlTry(["drain", node, servers, "--timeout=20s"]);
        // No other node takes the one that went, so that the other has to stay.
        assert.notEqual(code, 0);
        assert.match(stderr, /would violate the pod's disruption budget/);
        const { readyReplicas } = (await cache("drained")).status ?? {};
        assert.equal(readyReplicas, 1);
      } finally {
        await cluster.kubectlRun(["uncordon", node]);
        await clients.touch("/tmp/stop");
      }
      const { fresh, kept } = JSON.parse(await steady) as Record<"fresh" | "kept", Steady>;
      for (const { operations, lost } of [fresh, kept]) {
        assert.ok(operations > 100, `only ${operations} operations`);
        assert.deepEqual(lost, []);
      }
      await ready("drained", 2);
    });
  });

  describe("spec.workload changed under a client that stores and reads all the time", () => {
    it("leaves no moment without servers, there and back", async () => {
      const name = `moved.${NAMESPACE}.svc.cluster.local:11211`;
      const available = condition(await ready("moved", 2), "Available");
      await clients.remove("/tmp/stop", "/tmp/started");
      const steady = clients.python("steady.py", name);
      // Whatever fails first is what is told.
      steady.catch(() => undefined);
      await clients.awaitFile("/tmp/started");
      for (const workload of ["StatefulSet", "Deployment"]) {
        await cluster.kubectlRun([
          ...["patch", "memcached", "moved", "-n", NAMESPACE, "--type=merge"],
          ...["-p", JSON.stringify({ spec: { workload } })],
        ]);
        await ready("moved", 2);
        await until(`only the pods of the ${workload} to be left`, PODS_MS, async () => {
          const { nodes } = (await cache("moved")).status ?? {};
          const found = Object.keys(await uids("moved")).sort();
          if (found.join() === nodes?.join()) return true;
          throw new Error(`${found.join()} instead of ${nodes?.join()}`);
        });
      }
      await clients.touch("/tmp/stop");
      const { fresh, kept, first } = JSON.parse(await steady) as Record<"fresh" | "kept" | "first", Steady>;
      for (const { operations } of [fresh, kept, first]) assert.ok(operations > 100, `only ${operations} operations`);
      for (const { lost } of [fresh, kept]) assert.deepEqual(lost, []);
      // The name leads to no server that is yet to come, nor to one that has gone: but an answer that someone has kept for its five
      // seconds may be as old as the server's drain is long.
      const refused = Object.values(fresh.passed).reduce((sum, count) => sum + count, first.lost.length);
      assert.ok(refused <= (fresh.operations + first.operations) / 100, JSON.stringify({ fresh, first }));
      // The one that keeps its connection lost it once a workload went, and found another server at once.
      assert.ok(Object.values(kept.passed).reduce((sum, count) => sum + count, 0) >= 2, JSON.stringify(kept.passed));
      assert.deepEqual(condition(await cache("moved"), "Available")?.lastTransitionTime, available?.lastTransitionTime);
    });
  });
});
