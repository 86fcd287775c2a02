import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { readWatch } from "../../../operator/runtime/cache/watchStream";
import { systemClock } from "../../../operator/runtime/clock";
import { FencedError, HttpClient, TransportError } from "../../../operator/runtime";
import type { ApiError } from "../../../operator/runtime";
import { until } from "../../support/until";
import type { Answer } from "./loopback";
import { get, ok, reply, useLoopback } from "./loopback";

const { serve, open, cleanups } = useLoopback();

describe("Transport", () => {
  it("tells the server's own words, and those of whatever else answers", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/html") return reply(response, 502, "<h1>Bad gateway</h1>");
      const causes = [
        { reason: "NamespaceTerminating", message: "namespace x is being terminated", field: "metadata.namespace" },
      ];
      reply(response, 403, {
        kind: "Status",
        code: 403,
        reason: "Forbidden",
        message: "no quota left",
        details: { causes },
      });
    });
    const transport = open(server.config);
    await assert.rejects(transport.json(get()), (error: ApiError) => {
      assert.deepEqual([error.code, error.reason, error.message], [403, "Forbidden", "no quota left"]);
      return error.hasCause("NamespaceTerminating") && !error.hasCause("Other");
    });
    await assert.rejects(transport.json(get("/html")), {
      name: "ApiError",
      code: 502,
      message: "HTTP 502: <h1>Bad gateway</h1>",
    });
  });

  it("gives a burst of events whole to those who take their time with each, however large it is", async () => {
    const object = { metadata: { name: "a", annotations: { filler: "x".repeat(2_000) } } };
    const line = `${JSON.stringify({ type: "ADDED", object })}\n`;
    const server = await serve((request, response) => {
      for (let left = Number(request.url?.slice(1)); left > 0; left--) response.write(line);
      response.end();
    });
    const transport = open(server.config);
    for (let count = 130; count < 500; count += 10) {
      let taken = 0;
      const onEvent = () => {
        taken++;
        for (const end = performance.now() + 0.1; performance.now() < end;);
      };
      const { signal } = new AbortController();
      const options = {
        path: `/${count}`,
        clock: systemClock,
        signal,
        silenceMs: 5_000,
        onOpen: () => undefined,
        onEvent,
      };
      await readWatch(transport, options);
      assert.equal(taken, count);
    }
  });

  it("says who it is", async () => {
    let agent: string | undefined;
    const server = await serve((request, response) => {
      agent = request.headers["user-agent"];
      reply(response, 200, {});
    });
    await open(server.config).json(get());
    assert.equal(agent, "test/1 (linux)");
  });

  it("kubernetes-client/javascript#2893: 400 requests, 50 at a time, need no more than 16 handshakes", async () => {
    const server = await serve(ok);
    const transport = open(server.config);
    for (let i = 0; i < 8; i++) await Promise.all(Array.from({ length: 50 }, () => transport.json(get())));
    assert.ok(server.handshakes <= 16, `${server.handshakes} handshakes`);
  });

  it("reads a stream to the last byte that has come, also after a while in which it was busy", async () => {
    const line = `${"x".repeat(1_023)}\n`;
    for (let kibibytes = 256; kibibytes <= 448; kibibytes += 16) {
      // It goes on, as a watch does: nothing more comes, and nothing ends it.
      const server = await serve((_request, response) => void response.writeHead(200).write(line.repeat(kibibytes)));
      const body = await open(server.config).stream("/", AbortSignal.timeout(5_000), 5_000);
      let bytes = 0;
      for await (const chunk of body) {
        if (bytes === 0) await new Promise<void>((resolve) => setTimeout(resolve, 50));
        bytes += chunk.length;
        if (bytes === kibibytes * 1_024) break;
      }
    }
  });

  it("comes back after Retry-After, and gives up when that would take too long", async () => {
    const answers = [429, 503, 200];
    const server = await serve((request, response) => {
      if (request.url === "/long")
        return reply(response, 429, { kind: "Status", message: "slow down" }, { "retry-after": "3600" });
      const code = answers.shift() ?? 200;
      reply(response, code, { kind: "Status", code, message: "busy" }, code === 200 ? {} : { "retry-after": "0" });
    });
    const transport = open(server.config);
    await transport.json(get());
    assert.equal(server.requests.length, 3);
    await assert.rejects(transport.json(get("/long")), { code: 429, message: "slow down", retryAfterSeconds: 3600 });
  });

  it("kubernetes-client/javascript#2432: a request without an answer ends, and the next one goes over a new connection", async () => {
    let hang = true;
    const server = await serve((request, response) => {
      if (!hang) ok(request, response, "");
    });
    const transport = open(server.config);
    await assert.rejects(transport.json(get("/hang?x=y", 300)), (error: TransportError) => {
      assert.equal(error.code, "TIMEOUT");
      assert.match(error.message, /^GET 127\.0\.0\.1:\d+\/hang: no answer within 0\.3 s$/);
      return true;
    });
    hang = false;
    await transport.json(get());
    assert.equal(server.handshakes, 2);
  });

  it("stackabletech/trino-lb#83: sixteen requests that hang do not hold up the next for long", async () => {
    const server = await serve((request, response, body) => {
      if (request.url !== "/hang") ok(request, response, body);
    });
    const transport = open(server.config);
    const hanging = Array.from({ length: 16 }, () => transport.json(get("/hang", 8_000)).catch(() => undefined));
    const started = performance.now();
    await transport.json(get());
    assert.ok(performance.now() - started < 5_000);
    await transport.close();
    await Promise.all(hanging);
  });

  it("sends a patch again when a kept-alive connection breaks, but a create never twice", async () => {
    let broken = 0;
    const server = await serve((request, response, body) => {
      if (broken-- > 0) return request.socket.destroy();
      ok(request, response, body);
    });
    const transport = open(server.config);
    broken = 1;
    await transport.json({ ...get(), method: "PATCH", body: "{}" });
    broken = 1;
    await assert.rejects(transport.json({ ...get(), method: "POST", body: "{}" }), TransportError);
    assert.deepEqual(server.requests, ["PATCH /x", "PATCH /x", "POST /x"]);
  });

  it("stops waiting when the caller does", async () => {
    const server = await serve(() => undefined);
    const stop = new AbortController();
    const call = open(server.config).json({ ...get(), signal: stop.signal });
    await until("the request to arrive", 2_000, () => server.requests.length === 1);
    stop.abort(new Error("enough"));
    await assert.rejects(call, /^Error: enough$/);
  });

  it("names the server and the cause when nobody listens", async () => {
    const server = await serve(ok);
    const { config } = server;
    await server.close();
    cleanups.shift();
    await assert.rejects(open(config).json(get()), /^TransportError: GET 127\.0\.0\.1:\d+\/x: connect ECONNREFUSED/);
  });

  it("kubernetes-client/javascript#380: reaches an IPv6 address", async () => {
    const server = await serve(ok, "::1");
    assert.match(server.config.server, /^https:\/\/\[::1\]:/);
    await open(server.config).json(get());
  });

  it("kubernetes-client/javascript#648: goes through the proxy with CONNECT, except where NO_PROXY says", async () => {
    const server = await serve(ok, "127.0.0.1");
    const tunnels: string[] = [];
    const proxy = createServer().on("connect", (request, socket: Socket) => {
      tunnels.push(`${request.url} ${request.headers["proxy-authorization"]}`);
      const upstream = connect(Number(new URL(server.config.server).port), "127.0.0.1", () => {
        socket.write("HTTP/1.1 200 Connection established\r\n\r\n");
        upstream.pipe(socket).pipe(upstream);
      });
      upstream.on("error", () => socket.destroy());
      socket.on("error", () => upstream.destroy());
    });
    await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
    cleanups.push(() => new Promise((resolve) => proxy.close(resolve)));
    const proxyUrl = `http://me:secret@127.0.0.1:${(proxy.address() as AddressInfo).port}`;
    const { port } = new URL(server.config.server);
    // A name that is not loopback, so that the environment's proxy applies; the proxy knows where it is.
    const tls = () => server.config.tls().then((material) => ({ ...material, servername: "localhost" }));
    const config = { ...server.config, server: `https://api.invalid:${port}`, tls };
    await open(config, { HTTPS_PROXY: proxyUrl }).json(get());
    assert.deepEqual(tunnels, [`api.invalid:${port} Basic ${Buffer.from("me:secret").toString("base64")}`]);
    await open(server.config, { HTTPS_PROXY: proxyUrl, NO_PROXY: "127.0.0.0/8" }).json(get());
    await assert.rejects(
      open(config, { HTTPS_PROXY: proxyUrl, NO_PROXY: ".invalid" }).json(get()),
      /ENOTFOUND|EAI_AGAIN/,
    );
    assert.equal(tunnels.length, 1);
  });

  it("kubernetes/kubernetes#23731: sends no write once the fence is up, reads go on", async () => {
    const server = await serve(ok);
    const transport = open(server.config);
    const fence: { barrier?: string } = {};
    transport.fence(() => fence.barrier);
    await transport.json({ ...get(), method: "PATCH", body: "{}" });
    fence.barrier = "another replica may lead";
    await assert.rejects(
      transport.json({ ...get(), method: "PATCH", body: "{}" }),
      (error) => error instanceof FencedError,
    );
    await transport.json(get());
    assert.deepEqual(server.requests, ["PATCH /x", "GET /x"]);
  });
});

/** A server whose connections wait until `connect` is called. */
async function slowToConnect(answer: Answer) {
  const server = await serve(answer);
  let connect = () => undefined as void;
  const ready = new Promise<void>((resolve) => (connect = resolve));
  const tls = () => ready.then(() => server.config.tls());
  return { ...server, requests: server.requests, config: { ...server.config, tls }, connect: () => connect() };
}

describe("Transport: requests that wait for a connection", () => {
  it("kubernetes/kubernetes#23731: are not sent when the fence has gone up meanwhile", async () => {
    const server = await slowToConnect(ok);
    const transport = open(server.config);
    const fence: { barrier?: string } = {};
    transport.fence(() => fence.barrier);
    const write = transport.json({ ...get(), method: "PATCH", body: "{}" });
    const read = transport.json(get());
    fence.barrier = "another replica may lead";
    setImmediate(server.connect);
    await assert.rejects(write, (error) => error instanceof FencedError && error.message === fence.barrier);
    assert.deepEqual(await read, { ok: true });
    assert.deepEqual(server.requests, ["GET /x"]);
  });

  it("fail at their deadline and on their signal, and are not sent afterwards", async () => {
    const server = await slowToConnect(ok);
    const transport = open(server.config);
    const late = { name: "TransportError", code: "TIMEOUT" };
    await assert.rejects(transport.json({ ...get("/late", 50), method: "PATCH", body: "{}" }), late);
    const cancelled = new AbortController();
    const request = transport.json({ ...get("/cancelled"), signal: cancelled.signal });
    cancelled.abort(new Error("no longer wanted"));
    await assert.rejects(request, /no longer wanted/);
    server.connect();
    assert.deepEqual(await transport.json(get()), { ok: true });
    assert.deepEqual(server.requests, ["GET /x"]);
  });
});

describe("HttpClient", () => {
  it("refuses keys that would name another path", async () => {
    const server = await serve(ok);
    const client = new HttpClient(open(server.config));
    const services = { group: "", version: "v1", plural: "services", kind: "Service", namespaced: true };
    await assert.rejects(client.delete(services, { namespace: "ns", name: "" }), /Service: the name is empty/);
    await assert.rejects(client.get(services, { namespace: "", name: "a" }), /Service a: the namespace is empty/);
    assert.throws(() => client.create(services, { metadata: { name: "a" } }), /metadata.namespace is not set/);
    assert.deepEqual(server.requests, []);
  });
});
