import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Manager, createLogger } from "../../../operator/runtime";
import type { Config, ManagerOptions } from "../../../operator/runtime";
import { until } from "../../support/until";
import { startManager, stopManagers } from "./harness";

/** Nobody listens there: what the manager serves itself must not depend on it. */
const nowhere: Config = {
  server: "https://127.0.0.1:1",
  tls: () => Promise.resolve({}),
  authorization: () => Promise.resolve(undefined),
};

describe("the manager's own servers", () => {
  afterEach(stopManagers);

  const start = async (options: Partial<ManagerOptions>) => {
    const { manager } = startManager(nowhere, "default", () => Promise.resolve(), options);
    await until("the servers", 2_000, () => manager.ports.health ?? manager.ports.metrics);
    return manager;
  };

  it("tibuntu/homeassistant-kubernetes#264: listen on both address families", async () => {
    const manager = await start({ healthProbeBindAddress: ":0" });
    for (const host of ["127.0.0.1", "[::1]"]) {
      assert.equal((await fetch(`http://${host}:${manager.ports.health}/healthz`)).status, 200);
    }
  });

  it("say on /readyz what is missing, check by check, while /healthz stays well", async () => {
    const manager = await start({ healthProbeBindAddress: "127.0.0.1:0" });
    const get = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${manager.ports.health}${path}`);
      return `${response.status} ${(await response.text()).trim()}`;
    };
    await until("the cause", 5_000, async () => (await get("/readyz")).includes("ECONNREFUSED"));
    assert.match(
      await get("/readyz"),
      /^500 \[\+\]shutdown ok\n\[-\]caches failed: configmaps in namespace default: .*\nreadyz check failed$/,
    );
    assert.match(await get("/readyz/caches"), /^500/);
    assert.equal(await get("/readyz/shutdown"), "200 ok");
    assert.equal(await get("/readyz?exclude=caches"), "200 ok");
    assert.equal(await get("/healthz?verbose"), "200 [+]ping ok\nhealthz check passed");
    assert.match(await get("/readyz/unknown"), /^404/);
  });

  it("serve metrics under controller-runtime's names, from zero", async () => {
    const manager = await start({ metrics: { bindAddress: "127.0.0.1:0" } });
    const response = await fetch(`http://127.0.0.1:${manager.ports.metrics}/metrics`);
    assert.match(response.headers.get("content-type") ?? "", /^text\/plain/);
    const text = await response.text();
    for (const line of [
      'controller_runtime_reconcile_total{controller="test",result="success"} 0',
      'controller_runtime_reconcile_errors_total{controller="test"} 0',
      'controller_runtime_max_concurrent_reconciles{controller="test"} 16',
      'workqueue_depth{name="test",controller="test",priority="0"} 0',
      'workqueue_depth{name="test",controller="test",priority="-100"} 0',
      'workqueue_adds_total{name="test",controller="test"} 0',
    ]) {
      assert.ok(text.includes(`${line}\n`), line);
    }
    assert.match(text, /process_resident_memory_bytes \d+/);
    assert.equal((await fetch(`http://127.0.0.1:${manager.ports.metrics}/other`)).status, 404);
  });

  it("name no metric that is not counted, and answer to GET and HEAD alone", async () => {
    const manager = await start({ metrics: { bindAddress: "127.0.0.1:0" } });
    const url = `http://127.0.0.1:${manager.ports.metrics}/metrics`;
    assert.doesNotMatch(await (await fetch(url)).text(), /reconcile_timeouts_total/);
    const head = await fetch(url, { method: "HEAD" });
    assert.deepEqual([head.status, await head.text()], [200, ""]);
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) {
      const { status, headers } = await fetch(url, { method });
      assert.deepEqual([status, headers.get("allow")], [405, "GET, HEAD"]);
    }
  });

  it("refuse an address that is taken, and a certificate that is not there, in one sentence", async () => {
    const options = { config: nowhere, name: "test", log: createLogger({ level: "fatal" }) };
    const run = (more: Partial<ManagerOptions>) =>
      new Manager({ ...options, ...more }).run(new AbortController().signal);
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const address = `127.0.0.1:${(taken.address() as AddressInfo).port}`;
    await assert.rejects(
      run({ healthProbeBindAddress: address }),
      /^Error: --health-probe-bind-address: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/,
    );
    await assert.rejects(
      run({ metrics: { bindAddress: address, secure: true } }),
      /^Error: --metrics-bind-address: cannot listen on 127\.0\.0\.1:\d+: .*EADDRINUSE/,
    );
    await assert.rejects(
      run({ metrics: { bindAddress: "127.0.0.1:0", secure: true, certificates: { path: "/nowhere" } } }),
      /^Error: --metrics-cert-path: cannot read the certificate: .*\/nowhere\/tls\.crt/,
    );
    await new Promise((resolve) => taken.close(resolve));
  });
});
