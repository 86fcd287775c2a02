import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { dirname, join, sep } from "node:path";
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { Stack } from "@pulumi/pulumi/automation";
import { provision, retire } from "../../examples/automation/tenants";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { stackSecrets } from "../support/keyService";
import { newNamespace } from "../support/namespace";
import { pulumiSandbox } from "../support/pulumi";
import type { PulumiSandbox } from "../support/pulumi";
import { until } from "../support/until";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { startCertManager } from "./support/certManager";
import { readsFromDisk, storedStack } from "../support/storedStack";

const examples = join(__dirname, "..", "..", "examples");

/** The program of an example, loaded anew for each run, as Pulumi's language host does. */
const programOf = (folder: string) => async () => {
  const main = join(examples, folder, "index.ts");
  for (const file of Object.keys(require.cache)) if (file.startsWith(dirname(main) + sep)) delete require.cache[file];
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- import() of TypeScript does not run under tsx/cjs
  return { ...(require(main) as Record<string, unknown>) };
};

interface Secret {
  metadata: { uid: string };
  data: Record<string, string>;
}

const decoded = ({ data }: Secret, key: string): string => Buffer.from(data[key] ?? "", "base64").toString();

/** On one cluster: each of the first two has an operator of its own, the operator of two-stacks runs the caches of the others. */
describe("pulumi: the examples", function () {
  this.timeout(90_000);
  let plane: ControlPlane;
  let namespace: string;
  let sandbox: PulumiSandbox;
  let kubelet: Kubelet;
  let env: Record<string, string>;
  const up: Stack[] = [];
  /** The operator's own stack, of which the others know nothing. */
  let operator: Stack | undefined;

  const workspace = () => ({
    envVars: env,
    pulumiCommand: sandbox.command,
    secretsProvider: stackSecrets.secretsProvider,
  });

  async function stackOf(folder: string, projectName: string, config: Record<string, string>): Promise<Stack> {
    const stack = await LocalWorkspace.createStack(
      { stackName: "test", projectName, program: programOf(folder) },
      { ...workspace(), workDir: sandbox.workDir() },
    );
    readsFromDisk(stack, sandbox.backendDir, projectName);
    await stack.setAllConfig(Object.fromEntries(Object.entries(config).map(([key, value]) => [key, { value }])));
    return stack;
  }

  /** Brings an example up, finds no change in it, and destroys it after the last test unless that is done before. */
  async function run(stack: Stack): Promise<Record<string, unknown>> {
    up.push(stack);
    const { outputs } = await stack.up();
    await stack.preview({ expectNoChanges: true, refresh: true });
    return Object.fromEntries(Object.entries(outputs).map(([name, { value }]) => [name, value as unknown]));
  }

  /** Destroys what is up, the caches of all stacks at once, and the operators that run them after that. */
  async function destroyAll(): Promise<void> {
    const stacks = up.splice(0);
    const operators = stacks.filter((stack) => stack === operator);
    await Promise.all(stacks.filter((stack) => stack !== operator).map((stack) => stack.destroy()));
    for (const stack of operators) await stack.destroy();
  }

  /** What would have gone with a cluster that really goes. */
  async function removeOperator(): Promise<void> {
    const rbac = "/apis/rbac.authorization.k8s.io/v1";
    for (const kind of ["clusterroles", "clusterrolebindings"])
      await plane.client.request("DELETE", `${rbac}/${kind}?labelSelector=app.kubernetes.io/name=memcached-operator`);
    const operatorNamespace = "/api/v1/namespaces/memcached-operator-system";
    await plane.client.request("DELETE", operatorNamespace);
    await until("the operator's namespace to go", 30_000, async () => {
      return (await plane.client.request("GET", operatorNamespace)).code === 404;
    });
  }

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "examples");
    sandbox = await pulumiSandbox();
    process.env.PATH = sandbox.env.PATH;
    env = { ...sandbox.env, KUBECONFIG: plane.kubeconfig };
    kubelet = startKubelet(plane, ["memcached-operator-system", "default", namespace]);
  });
  after(async () => {
    await destroyAll();
    await kubelet.stop();
    sandbox.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(kubelet.log());
  });

  it("pulumi/pulumi#16331, new-cluster: previews before there is a kubeconfig, comes up, and goes with its cluster", async () => {
    const config = {
      operatorImage: "operator:test",
      namespace,
      createCluster: `cat ${plane.kubeconfig}`,
      removeCluster: "true",
    };
    const stack = await stackOf("new-cluster", "new-cluster", config);
    const { changeSummary } = await stack.preview();
    assert.deepEqual(Object.keys(changeSummary), ["create"]);
    const { servers } = await run(stack);
    assert.match(String(servers), /^sessions-[0-9a-f]{8}\./);
    await destroyAll();
    assert.deepEqual(storedStack(sandbox.backendDir, "new-cluster", "test").resources(), []);
    await removeOperator();
  });

  it("own-stack: a cache with a size, and one that leaves it to others", async () => {
    const { sessionServers, pageServers } = await run(
      await stackOf("own-stack", "shop2", { operatorImage: "operator:test" }),
    );
    assert.match(String(sessionServers), /^sessions-/);
    assert.match(String(pageServers), /^pages-/);
    // An operator's objects belong to one stack, and the next examples have another.
    await destroyAll();
  });

  it("two-stacks: the caches' stack waits for the operator's, and runs on it", async () => {
    const config = { operatorStack: "organization/memcached-platform/test", namespace };
    const caches = await stackOf("two-stacks/caches", "shop-caches", config);
    await assert.rejects(caches.preview(), /namespace|memcached-platform/);
    operator = await stackOf("two-stacks/operator", "memcached-platform", { operatorImage: "operator:test" });
    assert.equal((await run(operator)).namespace, "memcached-operator-system");
    const { servers } = await run(caches);
    assert.match(String(servers), new RegExp(`^sessions-[0-9a-f]{8}\\.${namespace}\\.svc.cluster.local:11211$`));
  });

  it("application: starts after its cache, with the servers in its environment", async () => {
    const { servers, deployment } = await run(await stackOf("application", "shop", { namespace, image: "shop:1" }));
    const path = `/apis/apps/v1/namespaces/${namespace}/deployments/${String(deployment)}`;
    const made = await plane.client.json<{
      spec: { template: { spec: { containers: { env: { name: string; value: string }[] }[] } } };
    }>("GET", path);
    assert.deepEqual(made.spec.template.spec.containers[0]!.env, [
      { name: "MEMCACHED_SERVERS", value: (servers as string[]).join(",") },
    ]);
  });

  it("secure: a cache with certificates and users, whose Secrets change in place", async () => {
    const certManager = await startCertManager(plane);
    try {
      const stack = await stackOf("secure", "secure", { namespace });
      await stack.setConfig("password", { value: "first", secret: true });
      const { servers, clientSecrets } = await run(stack);
      assert.equal((servers as string[])[2], `sessions-2.sessions.${namespace}.svc.cluster.local:11211`);
      assert.deepEqual(clientSecrets, ["shop-client", "shop-login"]);
      const secret = (name: string) =>
        plane.client.json<Secret>("GET", `/api/v1/namespaces/${namespace}/secrets/${name}`);
      const { subjectAltName } = new X509Certificate(decoded(await secret("sessions-tls"), "tls.crt"));
      const host = `sessions.${namespace}.svc.cluster.local`;
      assert.equal(subjectAltName, `DNS:${host}, DNS:*.${host}`);

      const before = await secret("sessions-users");
      assert.equal(decoded(before, "users"), "shop:first\n");
      await stack.setConfig("password", { value: "second", secret: true });
      await stack.setConfig("otherPassword", { value: "first", secret: true });
      await stack.up();
      const after = await secret("sessions-users");
      assert.equal(decoded(after, "users"), "shop:second\nshop:first\n");
      assert.equal(after.metadata.uid, before.metadata.uid);
      assert.equal(decoded(await secret("shop-login"), "password"), "second");
      up.splice(up.indexOf(stack), 1);
      await stack.destroy();
    } finally {
      await certManager.stop();
    }
  });

  it("automation: makes, resizes and removes a tenant's cache", async () => {
    const options = { ...workspace(), workDir: sandbox.workDir() };
    const tenant = { name: "acme", namespace, size: 1 };
    const path = `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds/acme`;
    assert.deepEqual(await provision(tenant, options), [`acme.${namespace}.svc.cluster.local:11211`]);
    await provision({ ...tenant, size: 2 }, options);
    const { status } = await plane.client.json<{ status: { readyReplicas: number } }>("GET", path);
    assert.equal(status.readyReplicas, 2);
    await retire(tenant, options);
    assert.equal((await plane.client.request("GET", path)).code, 404);
  });

  it("policy: is refused in a preview, and runs once it keeps the rules", async () => {
    const stack = await stackOf("policy", "policy", { namespace, size: "1" });
    await assert.rejects(stack.preview(), /sessions has one server: give it a size of 2 or more/);
    await stack.setConfig("size", { value: "2" });
    await run(stack);
  });
});
