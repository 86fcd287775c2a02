import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inClusterConfig } from "../../../operator/runtime/config/inCluster";
import { until } from "../../support/until";
import { get, ok, reply, useLoopback } from "./loopback";

describe("credentials", () => {
  const { serve, open, cleanups } = useLoopback();

  it("kubernetes-client/javascript#1240: reads its token anew after a 401, and tries once more", async () => {
    let valid = "second";
    let token = "first";
    const server = await serve((request, response) => {
      const good = request.headers.authorization === `Bearer ${valid}`;
      reply(response, good ? 200 : 401, good ? { ok: true } : { kind: "Status", code: 401, message: "Unauthorized" });
    });
    const authorization = (refresh?: boolean) => {
      if (refresh) token = "second";
      return Promise.resolve(`Bearer ${token}`);
    };
    const transport = open({ ...server.config, authorization });
    await transport.json(get());
    assert.equal(server.requests.length, 2);
    token = "first";
    for await (const chunk of await transport.stream("/watch", new AbortController().signal, 5_000)) {
      assert.equal(chunk.toString(), '{"ok":true}');
    }
    valid = "third";
    await assert.rejects(transport.json(get()), { code: 401 });
    assert.equal(server.requests.length, 6);
  });

  it("kubernetes-client/javascript#2432: a request whose credentials never come ends as well", async () => {
    const server = await serve(ok);
    const never = () => new Promise<undefined>(() => undefined);
    await assert.rejects(open({ ...server.config, authorization: never }).json(get("/x", 300)), { code: "TIMEOUT" });
    assert.deepEqual(server.requests, []);
  });

  it("takes a new CA into use without a restart", async () => {
    const server = await serve(ok);
    const transport = open(server.config);
    await transport.json(get());
    await server.rotate();
    await transport.json(get());
    assert.equal(server.handshakes, 2);
  });

  it("kubernetes-client/javascript#1240: follows a pod's token and CA when both are rotated, and fails no request", async () => {
    let valid = "first";
    const server = await serve((request, response) => {
      const code = request.headers.authorization === `Bearer ${valid}` ? 200 : 401;
      reply(response, code, { kind: "Status", code });
    });
    const dir = mkdtempSync(join(tmpdir(), "account-"));
    cleanups.push(() => rm(dir, { recursive: true }));
    const project = async (token: string) => {
      writeFileSync(join(dir, "token"), token);
      writeFileSync(join(dir, "ca.crt"), (await server.config.tls()).ca ?? "");
    };
    await project(valid);
    const { hostname, port } = new URL(server.config.server);
    const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port };
    const transport = open(await inClusterConfig(env, dir));
    await transport.json(get());
    valid = "second";
    await server.rotate();
    await project(valid);
    // A CA is read at most once a second.
    await until("a request", 3_000, () => transport.json(get()).then(Boolean));
    await Promise.all(Array.from({ length: 20 }, () => transport.json(get())));
    assert.ok(server.requests.length <= 23, `${server.requests.length} requests`);
  });

  it("refuses a server that its CA does not vouch for", async () => {
    const server = await serve(ok);
    const other = await serve(ok);
    await assert.rejects(open({ ...server.config, tls: other.config.tls }).json(get()), /certificate/);
  });
});
