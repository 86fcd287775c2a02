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
import { until } from "../support/until";
import { tryRun, which } from "../../cluster/run";
import { ensureTools } from "../../cluster/toolCache";
import { newNamespace } from "../support/namespace";
import { accountKubeconfig, startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { crdPath } from "./support/operator";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

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

  it("pulumi/pulumi-kubernetes-operator#690, #328, #691: runs two operators side by side, each with rights in its own namespaces only", async () => {
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

  it("pulumi/pulumi-kubernetes#1260: waits for no operator with skipAwait, and says the Service's address", async () => {
    const namespace = await newNamespace(plane, "unawaited");
    const stack = await stackOf((provider) => {
      const cache = new Memcached("cache", { name: "cache", namespace, skipAwait: true, port: 11311 }, { provider });
      return { servers: cache.servers, nodes: cache.nodes };
    });
    const { outputs } = await stack.up();
    assert.deepEqual(outputs.servers!.value, [`cache.${namespace}.svc.cluster.local:11311`]);
    await stack.noChanges();
    await stack.destroy();
  });

  it("pulumi/pulumi#16331: previews for a cluster that is made in the same program", async () => {
    const stack = await stackOf(() => ({}));
    const changes = await stack.preview(() => {
      const provider = new Provider("late", { kubeconfig: output(unknown) as never });
      const operator = new MemcachedOperator("op", { image }, { provider });
      new Memcached("cache", {}, { provider, dependsOn: operator });
    });
    assert.deepEqual(changes, { create: 22 });
  });

  it("previews with an account that may only read", async () => {
    const namespace = await newNamespace(plane, "reader");
    const account = { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: "ci" } };
    await plane.client.apply(`/api/v1/namespaces/${namespace}/serviceaccounts/ci`, account);
    const rbac = "rbac.authorization.k8s.io";
    await plane.client.apply(`/apis/${rbac}/v1/clusterrolebindings/${namespace}`, {
      apiVersion: `${rbac}/v1`,
      kind: "ClusterRoleBinding",
      metadata: { name: namespace },
      roleRef: { apiGroup: rbac, kind: "ClusterRole", name: "view" },
      subjects: [{ kind: "ServiceAccount", name: "ci", namespace }],
    });
    const kubeconfig = await accountKubeconfig(plane, namespace, "ci");
    const stack = await stackOf(() => ({}));
    const program: Program = () => {
      const provider = new Provider("reader", { kubeconfig });
      const operator = new MemcachedOperator("op", { image, namespace, createNamespace: false }, { provider });
      new Memcached("cache", { namespace }, { provider, dependsOn: operator });
    };
    assert.deepEqual(await stack.preview(program), { create: 21 });
  });

  describe("as YAML, with kubectl", () => {
    const namespace = "rendered";
    const cachePath = `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/cache`;
    let dir: string;
    let kubelet: Kubelet;
    const get = async (path: string) => plane.client.request("GET", path);

    before(() => void (kubelet = startKubelet(plane, [namespace])));
    after(() => kubelet.stop());

    it("pulumi/pulumi-kubernetes#2577, #2615, pulumi/examples#1444: renders the same objects without a cluster, outputs included", async () => {
      const stack = await stackOf(() => ({}));
      dir = join(stack.stack.workspace.workDir, "yaml");
      delete stack.stack.workspace.envVars.KUBECONFIG;
      const args = { image, namespace, namePrefix: "rendered-" };
      const { outputs } = await stack.up(() => {
        const provider = new Provider("yaml", { renderYamlToDirectory: dir });
        const operator = new MemcachedOperator("op", args, { provider });
        const cache = new Memcached("cache", { name: "cache", namespace, size: 2 }, { provider, dependsOn: operator });
        return { servers: cache.servers, nodes: cache.nodes };
      });
      assert.deepEqual(outputs.servers!.value, [`cache.${namespace}.svc.cluster.local:11211`]);
      const rendered = ["0-crd", "1-manifest"].flatMap((folder) =>
        readdirSync(join(dir, folder)).map((file) => parse(readFileSync(join(dir, folder, file), "utf8"))),
      );
      const title = (m: { kind: string; metadata: { name: unknown } }) => `${m.kind} ${String(m.metadata.name)}`;
      const expected = [...operatorManifests(args).map(title), "Memcached cache", title(memcachedCrd() as never)];
      assert.deepEqual(rendered.map(title).sort(), expected.sort());
    });

    it("which kubectl applies, and which runs", async () => {
      const kubectl = which("kubectl") ?? (await ensureTools(["kubectl"])).kubectl;
      const apply = (folder: string) =>
        tryRun(kubectl, ["apply", "--server-side", "--force-conflicts", "-f", join(dir, folder)], {
          env: { ...process.env, KUBECONFIG: plane.kubeconfig },
        });
      assert.equal((await apply("0-crd")).code, 0);
      // The first pass makes the namespace, the second what lies in it.
      await apply("1-manifest");
      const { code, stderr } = await apply("1-manifest");
      assert.equal(code, 0, stderr);
      await until("the cache to be ready", 30_000, async () => /"readyReplicas":2/.test((await get(cachePath)).text));
    });

    it("pulumi/pulumi-kubernetes-operator#1220, #1233, #1222, #1181, #751: goes with its namespace, operator and all", async () => {
      await plane.client.request("DELETE", `/api/v1/namespaces/${namespace}`);
      await until("the namespace to be gone", 45_000, async () => {
        return (await get(`/api/v1/namespaces/${namespace}`)).code === 404;
      });
      assert.equal((await get(cachePath)).code, 404);
    });
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
