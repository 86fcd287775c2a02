import assert from "node:assert/strict";
import type { AddressInfo } from "node:net";
import { Checks, healthServer } from "../../../operator/runtime/servers/health";

describe("Checks", () => {
  it("tells what each check misses, can be asked for one, and can leave some out", () => {
    const checks = new Checks();
    checks.add("ping", () => undefined);
    checks.add("caches", () => "memcacheds: forbidden");
    assert.deepEqual(
      [...(checks.run() ?? [])],
      [
        ["ping", undefined],
        ["caches", "memcacheds: forbidden"],
      ],
    );
    assert.deepEqual([...(checks.run("ping") ?? [])], [["ping", undefined]]);
    assert.deepEqual([...(checks.run(undefined, ["caches"]) ?? [])], [["ping", undefined]]);
    assert.equal(checks.run("nothing"), undefined);
  });

  it("answers 200 where all is well enough, with the remark for who asks more closely", async () => {
    const checks = new Checks();
    checks.add("caches", () => ({ remark: "without team-b" }));
    const server = healthServer(new Checks(), checks).listen(0, "127.0.0.1");
    try {
      await new Promise((resolve) => server.once("listening", resolve));
      const { port } = server.address() as AddressInfo;
      const get = async (path: string) => {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`);
        return `${answer.status} ${await answer.text()}`;
      };
      assert.equal(await get("/readyz"), "200 ok");
      assert.equal(await get("/readyz?verbose"), "200 [+]caches ok, but without team-b\nreadyz check passed\n");
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
