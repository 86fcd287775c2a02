import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { down, status, up, type RunningCluster } from "../../cluster/cluster";
import { importImage } from "../../cluster/images/archive";
import { memcachedImage } from "../../cluster/images/memcached";
import { resolveIn } from "../../cluster/dnsProbe";
import { run } from "../../cluster/run";
import { findHolder } from "../../cluster/sandbox";
import { storeAndRead } from "../../scripts/stack/readBack";
import { testCluster, type TestCluster } from "../support/testCluster";
import { until } from "../support/until";

/** A cluster of this file's own, beside the one that the other tests share. */
const NAME = "memcached-test-2";

/** What of a cluster can be seen on the machine: its processes, mounts, interfaces and iptables rules. */
async function traces(dir: string): Promise<string[]> {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  const links = (await run("ip", ["-o", "link"])).split("\n");
  const rules = (await run("iptables-save", [])).split("\n");
  const commands = (await run("ps", ["-eo", "args"])).split("\n");
  return [
    ...mounts.filter((line) => line.includes(dir)),
    ...links.filter((line) => /memcached\d+[@:]/.test(line)),
    ...rules.filter((line) => line.includes("memcached-cluster")),
    ...commands.filter((line) => line.includes(dir)),
  ];
}

describe("the embedded cluster", function () {
  this.timeout(120_000);
  let first: TestCluster;
  let second: RunningCluster;

  before(async () => {
    first = await testCluster();
    second = await up(NAME);
  });

  after(() => down(NAME));

  it("runs a memcached pod that stores and gives back a value", async () => {
    const archive = await memcachedImage();
    await importImage(second.settings, archive);
    const pods = "/api/v1/namespaces/default/pods";
    await second.client.json("POST", pods, {
      metadata: { name: "mc", labels: { app: "mc" } },
      spec: {
        hostname: "mc-0",
        subdomain: "mc",
        containers: [{ name: "memcached", image: archive.image, securityContext: { runAsUser: 11211 } }],
      },
    });
    await second.client.json("POST", "/api/v1/namespaces/default/services", {
      metadata: { name: "mc" },
      spec: { clusterIP: "None", selector: { app: "mc" }, ports: [{ port: 11211 }] },
    });
    const answer = await until("the pod to answer under its Service's name", 60_000, () =>
      storeAndRead(second.settings, ["mc.default.svc.cluster.local:11211"]),
    );
    assert.equal(answer.value, "hello from 1 memcached server");
  });

  it("gives pods the names of Services, and a way to the API server", async () => {
    const addresses = await resolveIn(second.settings, "kubernetes.default.svc.cluster.local");
    assert.deepEqual(addresses, [`10.${second.settings.subnet}.128.1`]);
  });

  it("lives beside another with other addresses", async () => {
    assert.notEqual(first.settings.subnet, second.settings.subnet);
    for (const { client, settings } of [first, second]) {
      const { items } = await client.json<{ items: { metadata: { name: string } }[] }>("GET", "/api/v1/nodes");
      assert.deepEqual(
        items.map((node) => node.metadata.name),
        [settings.name],
      );
    }
  });

  it("heals by up after any part was killed", async () => {
    const before = status(NAME);
    for (const part of before.parts) process.kill(part.pid as number, "SIGKILL");
    await until("every part to be gone", 10_000, () => status(NAME).parts.every((part) => !part.pid));
    const { client } = await up(NAME);
    const { code } = await client.request("GET", "/api/v1/namespaces/default/pods/mc");
    assert.equal(code, 200, "what was stored is still there");
    assert.deepEqual(
      status(NAME).parts.filter((part) => !part.pid),
      [],
    );
  });

  it("heals by up after its namespaces were killed", async () => {
    process.kill(findHolder(second.settings) as number, "SIGKILL");
    await until("the namespaces to be gone", 10_000, () => findHolder(second.settings) === undefined);
    const { client, settings } = await up(NAME);
    assert.equal((await client.request("GET", "/api/v1/namespaces/default/pods/mc")).code, 200);
    await until("the pod to answer again", 90_000, () =>
      storeAndRead(settings, ["mc.default.svc.cluster.local:11211"]),
    );
  });

  it("leaves nothing behind and the other cluster alone", async () => {
    const { dir } = second.settings;
    const others = (await traces(first.settings.dir)).length;
    assert.ok(others > 0);
    await down(NAME);
    assert.deepEqual(
      (await traces(dir)).filter(
        (line) =>
          line.includes(dir) || line.includes(`memcached${second.settings.subnet}`) || line.includes(`${NAME} `),
      ),
      [],
    );
    assert.equal(existsSync(dir), false);
    assert.deepEqual(status(NAME), { name: NAME, parts: [] });
    assert.equal((await first.client.request("GET", "/readyz")).code, 200);
  });
});
