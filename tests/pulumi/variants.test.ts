import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { output, unknown } from "@pulumi/pulumi";
import { Provider } from "@pulumi/kubernetes/provider";
import { parse } from "yaml";
import { memcachedCrd } from "../../api";
import { Memcached, MemcachedOperator } from "../../components";
import { operatorManifests } from "../../components/manifests";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { startKubelet } from "./support/kubelet";
import { newStack } from "./support/stack";
import type { Program, TestStack } from "./support/stack";

const crdPath = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/memcacheds.cache.example.com";
const image = "operator:test";

describe("pulumi: other ways to install", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  const stacks: TestStack[] = [];

  before(async () => {
    plane = await controlPlane();
    await plane.client.apply(crdPath, memcachedCrd());
  });
  after(() => stacks.forEach((stack) => stack.remove()));

  async function stackOf(program: Program): Promise<TestStack> {
    const stack = await newStack(plane.kubeconfig, program);
    stacks.push(stack);
    return stack;
  }

  it("pulumi-kubernetes-operator#690, #328, #691: runs two operators side by side, each with rights in its own namespaces only", async () => {
    const [a, b] = [await newNamespace(plane, "blue"), await newNamespace(plane, "green")];
    const kubelet = startKubelet(plane, [a, b]);
    const install =
      (namespace: string, namePrefix: string): Program =>
      (provider) => {
        const operator = new MemcachedOperator(
          "op",
          { image, namespace, namePrefix, createNamespace: false, installCrds: false, watchNamespaces: [namespace] },
          { provider },
        );
        const cache = new Memcached("cache", { name: "cache", namespace }, { provider, dependsOn: operator });
        return { nodes: cache.nodes };
      };
    const stacksOf = [await stackOf(install(a, "blue-")), await stackOf(install(b, "green-"))];
    try {
      for (const stack of stacksOf) {
        const { outputs } = await stack.up();
        assert.equal((outputs.nodes!.value as string[]).length, 1);
        await stack.noChanges();
      }
      const account = `system:serviceaccount:${a}:blue-controller-manager`;
      assert.deepEqual(await rights(plane, account, a, b), { [a]: true, [b]: false });
    } catch (error) {
      console.error(kubelet.log());
      throw error;
    } finally {
      for (const stack of stacksOf) await stack.destroy();
      await kubelet.stop();
    }
  });

  it("pulumi-kubernetes#1260: waits for no operator with skipAwait, and says the Service's address", async () => {
    const namespace = await newNamespace(plane, "unawaited");
    const stack = await stackOf((provider) => {
      const cache = new Memcached("cache", { name: "cache", namespace, skipAwait: true, port: 11311 }, { provider });
      return { servers: cache.servers, nodes: cache.nodes };
    });
    const { outputs } = await stack.up();
    assert.deepEqual(outputs.servers!.value, [`cache.${namespace}.svc:11311`]);
    await stack.noChanges();
    await stack.destroy();
  });

  it("pulumi#16331: previews for a cluster that is made in the same program", async () => {
    const stack = await stackOf(() => ({}));
    const changes = await stack.preview(() => {
      const provider = new Provider("late", { kubeconfig: output(unknown) as never });
      const operator = new MemcachedOperator("op", { image }, { provider });
      new Memcached("cache", {}, { provider, dependsOn: operator });
    });
    assert.deepEqual(changes, { create: 21 });
  });

  it("pulumi-kubernetes#2577, #2615, examples#1444: renders YAML of the same objects, without a cluster, that applies and runs", async () => {
    const stack = await stackOf(() => ({}));
    const dir = join(stack.stack.workspace.workDir, "yaml");
    delete stack.stack.workspace.envVars.KUBECONFIG;
    const { outputs } = await stack.up(() => {
      const provider = new Provider("yaml", { renderYamlToDirectory: dir });
      const operator = new MemcachedOperator("op", { image }, { provider });
      const cache = new Memcached("cache", { name: "cache", size: 2 }, { provider, dependsOn: operator });
      return { servers: cache.servers, nodes: cache.nodes };
    });
    assert.deepEqual(outputs.servers!.value, ["cache.default.svc:11211"]);
    const rendered = ["0-crd", "1-manifest"].flatMap((folder) =>
      readdirSync(join(dir, folder)).map((file) => parse(readFileSync(join(dir, folder, file), "utf8"))),
    );
    const title = (m: { kind: string; metadata: { name: unknown } }) => `${m.kind} ${String(m.metadata.name)}`;
    const expected = [...operatorManifests({ image }).map(title), "Memcached cache", title(memcachedCrd() as never)];
    assert.deepEqual(rendered.map(title).sort(), expected.sort());
  });
});

/** Whether the account may list Memcacheds in each of the namespaces. */
async function rights(plane: ControlPlane, user: string, ...namespaces: string[]): Promise<Record<string, boolean>> {
  const answers = namespaces.map(async (namespace): Promise<[string, boolean]> => {
    const resourceAttributes = { namespace, verb: "list", group: "cache.example.com", resource: "memcacheds" };
    const review = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SubjectAccessReview",
      spec: { user, resourceAttributes },
    };
    const path = "/apis/authorization.k8s.io/v1/subjectaccessreviews";
    const { status } = await plane.client.json<{ status: { allowed: boolean } }>("POST", path, review);
    return [namespace, status.allowed];
  });
  return Object.fromEntries(await Promise.all(answers));
}
