import assert from "node:assert/strict";
import { secret } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator } from "../../components";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";

const operatorNamespace = "memcached-operator-system";

describe("pulumi: a cache with users", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let namespace: string;
  let stack: TestStack;

  const program =
    (password: string): Program =>
    (provider) => {
      const secretAccess = [namespace];
      const operator = new MemcachedOperator("op", { image: "operator:test", secretAccess }, { provider });
      const users = { app: secret(password), reader: "plainly-hidden" };
      const cache = new Memcached(
        "cache",
        { namespace, size: 1, auth: { users }, readyTimeout: "60s" },
        { provider, dependsOn: operator },
      );
      return { name: cache.name };
    };

  interface Found {
    metadata: { name: string; generation?: number };
    spec: { auth: { secretName: string } };
    data: { users: string };
  }
  const get = (path: string) => plane.client.json<Found>("GET", path);
  const cache = async () => {
    const { name } = await stack.stack.outputs();
    return get(`/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/${name!.value as string}`);
  };
  const users = async () => {
    const { secretName } = (await cache()).spec.auth;
    const { data } = await get(`/api/v1/namespaces/${namespace}/secrets/${secretName}`);
    return Buffer.from(data.users, "base64").toString();
  };

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "users");
    kubelet = startKubelet(plane, [operatorNamespace, namespace]);
    stack = await newStack(plane.kubeconfig, program("first-hidden"));
  });
  after(async () => {
    await kubelet.stop();
    stack.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(kubelet.log());
  });

  it("has them in a Secret of the component's, and nowhere in clear: neither in the state nor in what Pulumi prints", async () => {
    const previewed = await stack.previewed();
    const { stdout } = await stack.up();
    assert.equal(await users(), "app:first-hidden\nreader:plainly-hidden\n");
    assert.doesNotMatch(stack.stored() + previewed.stdout + stdout, /hidden/);
    await stack.noChanges();
  });

  it("takes another password without a change of the cache, whose servers stay", async () => {
    const before = await cache();
    const previewed = await stack.previewed(program("second-hidden"));
    const { stdout } = await stack.up(program("second-hidden"));
    assert.equal(await users(), "app:second-hidden\nreader:plainly-hidden\n");
    assert.doesNotMatch(stack.stored() + previewed.stdout + stdout, /hidden/);
    assert.equal((await cache()).metadata.generation, before.metadata.generation);
  });

  it("goes with its Secret", async () => {
    const { secretName } = (await cache()).spec.auth;
    await stack.destroy();
    const { code } = await plane.client.request("GET", `/api/v1/namespaces/${namespace}/secrets/${secretName}`);
    assert.equal(code, 404);
  });
});
