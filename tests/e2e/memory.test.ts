import assert from "node:assert/strict";
import { Connection, holdConnections } from "../../bench/memory/client";
import { constant, fill, spread } from "../../bench/memory/loads";
import { type Server, startServer } from "../../bench/memory/server";
import { testCluster } from "../support/testCluster";
import { until } from "../support/until";

describe("a cache with as much as it takes", function () {
  this.timeout(120_000);
  const spec = { memory: "64Mi", connections: 1024 };
  let server: Server;
  let connection: Connection;
  let release = () => {};

  before(async () => {
    const cluster = await testCluster();
    server = await startServer(cluster, "full", cluster.images.memcached, spec);
    connection = await Connection.open(server.address, 11211);
    release = await holdConnections(server.address, 11211, spec.connections);
  });
  after(async () => {
    release();
    connection?.close();
    await server?.remove();
  });

  it("holds as many connections as it may, all in the midst of a command", async () => {
    const open = (await connection.stats()).get("curr_connections") ?? 0;
    assert.ok(open > 950, `${open} connections`);
  });

  for (const [what, sizes] of [
    ["small items", constant(50)],
    ["items of every size", spread(10, 1_000_000)],
  ] as const)
    it(`is full of ${what}, evicts, and stays below its limit without a restart`, async () => {
      const { evicted } = await fill(connection, what.slice(0, 2).trim(), sizes, 64 * 1024 ** 2);
      assert.ok(evicted > 0, "nothing was evicted");
      await until("the hash table to have grown", 20_000, async () => {
        return (await connection.stats()).get("hash_is_expanding") === 0;
      });
      const { peakMiB, residentMiB } = server.usage();
      assert.ok(residentMiB > 64, `only ${residentMiB} MiB are resident: it was not filled`);
      assert.ok(peakMiB < server.limitMiB * 0.95, `${peakMiB} of ${server.limitMiB} MiB`);
      assert.deepEqual(await server.restarts(), { count: 0, reason: undefined });
    });
});
