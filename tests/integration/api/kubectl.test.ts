import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { until } from "../../support/until";
import { kubectlOn, mergePatch, type Server, serverWithCrd } from "./server";

const deploy = resolve(__dirname, "../../../deploy");

describe("kubectl with Memcached resources", function () {
  this.timeout(60_000);
  let server: Server;
  before(async () => (server = await serverWithCrd()));

  const kubectl = (...args: string[]) => kubectlOn(server, ...args);

  it("installs deploy/crds", async () => {
    const { stdout } = await kubectl("apply", "--server-side", "--force-conflicts", "-f", `${deploy}/crds`);
    assert.match(stdout, /memcacheds\.cache\.example\.com serverside-applied/);
    await kubectl("wait", "--for=condition=Established", "crd/memcacheds.cache.example.com", "--timeout=20s");
  });

  it("applies every sample as it stands", async () => {
    for (const file of readdirSync(`${deploy}/samples`)) {
      const { stdout, stderr } = await kubectl("apply", "-f", `${deploy}/samples/${file}`);
      assert.match(stdout, /^memcached\.cache\.example\.com\/\S+ created$/m, file);
      assert.equal(/deprecated; use cache\.example\.com\/v1\b/.test(stderr), file.includes("v1alpha1"), stderr);
    }
  });

  it("shows size, readiness and age under the short name, and more with -o wide", async () => {
    await server.create("v1", "shown", { size: 2, image: "memcached:1.6" }, "");
    const time = "2026-01-02T03:04:05Z";
    const condition = { status: "True", lastTransitionTime: time, reason: "Fine", message: "" };
    const status = {
      readyReplicas: 2,
      conditions: [
        { ...condition, type: "Available" },
        { ...condition, type: "Ready", message: "2 of 2 servers are ready" },
      ],
    };
    await server.ask("PATCH", `${server.at("v1", "shown")}/status`, { status }, mergePatch);
    const lines = async (...args: string[]) =>
      (await kubectl("get", "mc", "shown", ...args)).stdout
        .trim()
        .split("\n")
        .map((line) => line.split(/\s{2,}/));
    const [head, row] = await lines();
    assert.deepEqual(head, ["NAME", "SIZE", "READY", "AVAILABLE", "AGE"]);
    assert.deepEqual(row?.slice(0, 4), ["shown", "2", "2", "True"]);
    const [wideHead, wide] = await lines("-o", "wide");
    assert.deepEqual(wideHead?.slice(5), ["IMAGE", "MESSAGE"]);
    assert.deepEqual(wide?.slice(5), ["memcached:1.6", "2 of 2 servers are ready"]);
    assert.match((await kubectl("get", "all")).stdout, /memcached\.cache\.example\.com\/shown/);
  });

  it("scales, and reads replicas and selector back", async () => {
    await server.create("v1", "scaled", {}, "");
    const status = { replicas: 1, selector: "app.kubernetes.io/instance=scaled" };
    await server.ask("PATCH", `${server.at("v1", "scaled")}/status`, { status }, mergePatch);
    await kubectl("scale", "memcached/scaled", "--replicas=3");
    const { body } = await server.ask("GET", `${server.at("v1", "scaled")}/scale`);
    assert.deepEqual([body.spec, body.status], [{ replicas: 3 }, status]);
    assert.equal((await server.ask("GET", server.at("v1", "scaled"))).body.spec?.size, 3);
  });

  it("explains every field", async () => {
    // The API server publishes the schema of a new kind a moment after it serves it.
    const stdout = await until("the schema to be published", 20_000, () =>
      kubectl("explain", "memcached.spec.memory").then(
        (answer) => answer.stdout,
        () => undefined,
      ),
    );
    assert.match(stdout, /KIND:\s+Memcached\nVERSION:\s+v1\n[^]*FIELD: memory <string>/);
    assert.match(stdout, /Memory for items on each server \(memcached -m\)/);
    const all = (await kubectl("explain", "memcached", "--recursive")).stdout;
    for (const field of ["size", "maxItemSize", "observedGeneration", "servers"]) assert.match(all, new RegExp(field));
    const spec = (await kubectl("explain", "memcached.spec")).stdout;
    assert.doesNotMatch(spec, /<no description>/);
    for (const field of ["workload", "topologySpreadConstraints", "podLabels", "service"])
      assert.match(spec, new RegExp(`^  ${field}\\t<`, "m"));
    const service = (await kubectl("explain", "memcached.spec.service")).stdout;
    assert.match(service, /enum: ClusterIP, LoadBalancer, NodePort|enum: ClusterIP, NodePort, LoadBalancer/);
    assert.doesNotMatch(service, /<no description>/);
    assert.match((await kubectl("explain", "memcached.spec.tolerations")).stdout, /effect\t<string>/);
    const old = (await kubectl("explain", "memcached.spec.size", "--api-version=cache.example.com/v1alpha1")).stdout;
    assert.match(old, /Number of servers, 1 to 3/);
  });

  it("takes every object of deploy/install.yaml", async () => {
    const text = readFileSync(`${deploy}/install.yaml`, "utf8");
    const command = kubectl("apply", "--server-side", "--force-conflicts", "--dry-run=server", "-f", "-");
    command.child.stdin?.end(text.replaceAll("memcached-operator-system", server.namespace));
    const { stdout, stderr } = await command;
    assert.equal(stderr, "");
    assert.equal(stdout.trim().split("\n").length, text.match(/^kind: /gm)?.length);
  });

  it("refuses a misspelt field and names it", async () => {
    const object = {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { name: "t" },
      spec: { sizes: 3 },
    };
    const command = kubectl("apply", "-f", "-");
    command.child.stdin?.end(JSON.stringify(object));
    await assert.rejects(command, /unknown field "spec.sizes"/);
  });
});
