import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ensureTools } from "../../cluster/toolCache";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { pulumiSandbox } from "../support/pulumi";
import type { PulumiSandbox } from "../support/pulumi";
import { builtPackage } from "../support/builtPackage";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { programStack } from "./support/languages";
import type { ProgramStack } from "./support/languages";
import { installSdk, pythonWithPulumi } from "./support/python";

const program = (namespace: string, size: number) => `
import pulumi
import pulumi_memcached as memcached

operator = memcached.MemcachedOperator(
    "operator",
    image="operator:test",
    namespace="${namespace}",
    create_namespace=False,
    name_prefix="python-",
    tolerations=[memcached.TolerationArgs(key="dedicated", operator="Exists")],
    resources=memcached.ResourceRequirementsArgs(limits={"memory": "300Mi"}),
)
cache = memcached.Memcached(
    "cache",
    namespace=operator.namespace,
    size=${size},
    image_pull_policy=memcached.ImagePullPolicy.ALWAYS,
    rollout=memcached.RolloutArgs(max_surge="25%", max_unavailable=1),
    opts=pulumi.ResourceOptions(depends_on=[operator]),
)
pulumi.export("name", cache.name)
pulumi.export("servers", cache.servers)
pulumi.export("nodes", cache.nodes)
`;

/** With the SDK that Pulumi generates from schema.json, and the plugin in Pulumi's own folder for plugins. */
describe("pulumi: a program in Python", function () {
  this.timeout(180_000);
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let namespace: string;
  let sandbox: PulumiSandbox;
  let env: Record<string, string>;
  let plugin: { program: string; version: string };
  let stack: ProgramStack | undefined;

  before(async () => {
    const packageDir = await builtPackage();
    const { version } = JSON.parse(readFileSync(join(packageDir, "package.json"), "utf8")) as { version: string };
    plugin = { program: join(packageDir, "dist/plugin/pulumi-resource-memcached"), version };
    sandbox = await pulumiSandbox();
    const python = await pythonWithPulumi();
    const { sdkgen } = await ensureTools(["sdkgen"]);
    const site = await installSdk(python, sdkgen, join(packageDir, "dist/schema.json"), sandbox.dir);
    plane = await controlPlane();
    namespace = await newNamespace(plane, "python");
    kubelet = startKubelet(plane, [namespace]);
    // The host takes the python3 that is first on PATH.
    env = { PATH: dirname(python), PYTHONPATH: site, KUBECONFIG: plane.kubeconfig };
  });
  after(async () => {
    await kubelet.stop();
    stack?.sandbox.remove();
    sandbox.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(kubelet.log());
  });

  it("installs the operator and creates a cache, resizes it, and takes both away", async () => {
    const project = "name: test\nruntime: python\n";
    const files = { "Pulumi.yaml": project, "__main__.py": program(namespace, 1) };
    stack = await programStack(files, env, plugin);
    const { outputs } = await stack.stack.up();
    const name = outputs.name!.value as string;
    assert.deepEqual(outputs.servers!.value, [`${name}.${namespace}.svc.cluster.local:11211`]);
    assert.equal((outputs.nodes!.value as string[]).length, 1);
    assert.deepEqual((await strategy(name)).rollingUpdate, { maxSurge: "25%", maxUnavailable: 1 });
    await stack.stack.preview({ expectNoChanges: true });

    stack.write("__main__.py", program(namespace, 2));
    const resized = await stack.stack.up();
    assert.equal((resized.outputs.nodes!.value as string[]).length, 2);
    assert.equal(resized.outputs.name!.value, name);
    const { tolerations, containers } = await operatorPod();
    assert.deepEqual(tolerations, [{ key: "dedicated", operator: "Exists" }]);
    assert.equal(containers[0]!.resources.limits.memory, "300Mi");

    await stack.stack.destroy();
    assert.deepEqual(stack.resources(), []);
  });

  async function strategy(name: string) {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`;
    const { spec } = await plane.client.json<{ spec: { strategy: { rollingUpdate: object } } }>("GET", path);
    return spec.strategy;
  }

  async function operatorPod() {
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/python-controller-manager`;
    interface Deployment {
      spec: {
        template: {
          spec: { tolerations: object[]; containers: { resources: { limits: { memory: string } } }[] };
        };
      };
    }
    return (await plane.client.json<Deployment>("GET", path)).spec.template.spec;
  }
});
