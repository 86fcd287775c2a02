import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import type { LocalWorkspace } from "@pulumi/pulumi/automation";
import { Provider } from "@pulumi/kubernetes/provider";
import { Memcached, MemcachedOperator } from "../../components";
import type { MemcachedOperatorArgs } from "../../components";
import { tryRun } from "../../cluster/run";
import { controlPlane } from "../support/controlPlane";
import type { ControlPlane } from "../support/controlPlane";
import { newNamespace } from "../support/namespace";
import { startKubelet } from "./support/kubelet";
import type { Kubelet } from "./support/kubelet";
import { liveObjects } from "./support/objects";
import { newStack } from "../support/stack";
import type { Program, TestStack } from "../support/stack";

const operatorNamespace = "replaced-operator";
const movedNamespace = "replaced-operator-moved";

/** The objects that lie in the operator's namespace; the last is a cache that was put there. */
const inNamespace = [
  "Deployment op-controller-manager",
  "Namespace op-namespace",
  "Role op-leader-election-role",
  "RoleBinding op-leader-election-rolebinding",
  "Service op-controller-manager-metrics-service",
  "ServiceAccount op-controller-manager",
  "Memcached inside",
];

describe("pulumi: nothing is lost by a replacement", function () {
  this.timeout(120_000);
  let plane: ControlPlane;
  let kubelet: Kubelet;
  let namespace: string;
  let stack: TestStack;

  const program =
    (args: Partial<MemcachedOperatorArgs> = {}): Program =>
    (provider) => {
      const base = { image: "operator:test", namePrefix: "replaced-", namespace: operatorNamespace };
      const operator = new MemcachedOperator("op", { ...base, ...args }, { provider });
      const opts = { provider, dependsOn: operator };
      new Memcached("named", { name: "named", namespace, readyTimeout: "60s" }, opts);
      new Memcached("auto", { namespace, readyTimeout: "60s" }, opts);
      new Memcached("inside", { name: "inside", namespace: operator.namespace, readyTimeout: "60s" }, opts);
    };
  const moved = program({ namePrefix: "moved-", namespace: movedNamespace });
  const urn = (title: string) => {
    const [kind, name] = title.split(" ") as [string, string];
    return stack.resource(`v1:${kind}`, name).urn;
  };
  const caches = () => `/apis/cache.example.com/v1/namespaces/${namespace}/memcacheds`;
  const pods = async () => {
    const path = `/api/v1/namespaces/${namespace}/pods?labelSelector=app.kubernetes.io/instance=named`;
    const { items } = await plane.client.json<{ items: { metadata: { uid: string } }[] }>("GET", path);
    return items.map(({ metadata }) => metadata.uid);
  };

  /** Does it, and gives what is another object afterwards. Everything must be there then, and ready, and no change left. */
  async function replacedBy(update: () => Promise<unknown>): Promise<string[]> {
    const before = await liveObjects(plane, stack);
    await update();
    const after = await liveObjects(plane, stack);
    assert.deepEqual(Object.keys(after), Object.keys(before));
    for (const [title, { kind, status }] of Object.entries(after))
      if (kind === "Memcached")
        assert.equal(status?.conditions?.find(({ type }) => type === "Ready")?.status, "True", `${title} is not Ready`);
    await stack.noChanges();
    return Object.keys(after).filter((title) => after[title]!.metadata.uid !== before[title]!.metadata.uid);
  }
  const happened = (...events: string[]) => {
    const places = events.map((event) => stack.log().indexOf(event));
    assert.ok(
      places.every((at, i) => at >= 0 && (i === 0 || at > places[i - 1]!)),
      `${events.join(", ")}:\n${stack.log()}`,
    );
  };

  before(async () => {
    plane = await controlPlane();
    namespace = await newNamespace(plane, "replaced");
    kubelet = startKubelet(plane, [operatorNamespace, movedNamespace, namespace]);
    stack = await newStack(plane.kubeconfig, program());
    await stack.up();
  });
  after(async () => {
    await stack.destroy();
    await kubelet.stop();
    stack.remove();
  });
  afterEach(function () {
    if (this.currentTest?.state === "failed") console.error(stack.log(), kubelet.log());
  });

  it("pulumi/pulumi-kubernetes#4522: --replace deletes a named cache first, and an autonamed one last", async () => {
    const replace = ["Memcached named", "Memcached auto"];
    const replaced = await replacedBy(() => stack.up(undefined, { replace: replace.map(urn) }));
    assert.deepEqual(replaced.sort(), replace.sort());
    happened("Memcached named deleted original", "Memcached named created replacement");
    happened("Memcached auto created replacement", "Memcached auto deleting original");
  });

  it("pulumi/pulumi#11657: state taint replaces the cache in the next update", async () => {
    const { pulumiCommand, workDir, envVars } = stack.stack.workspace as LocalWorkspace;
    const taint = ["state", "taint", urn("Memcached named"), "--yes", "--stack", "test"];
    const { code, stderr } = await tryRun(pulumiCommand.command, taint, { cwd: workDir, env: envVars });
    assert.equal(code, 0, stderr);
    assert.deepEqual(await replacedBy(() => stack.up()), ["Memcached named"]);
  });

  it("pulumi/pulumi-kubernetes#4522: --target-replace of the operator's account restarts the operator with it, and no cache", async () => {
    const before = await pods();
    const target = [urn("ServiceAccount op-controller-manager")];
    const replaced = await replacedBy(() => stack.up(undefined, { target, replace: target }));
    assert.deepEqual(replaced, ["Deployment op-controller-manager", "ServiceAccount op-controller-manager"]);
    assert.deepEqual(await pods(), before);
  });

  it("pulumi/pulumi-kubernetes#4522: --replace of the operator's objects and of the CRD leaves every cache alone", async () => {
    const before = await pods();
    const objects = Object.keys(await liveObjects(plane, stack));
    const replace = objects.filter((title) => !title.startsWith("Memcached") && !title.startsWith("Namespace"));
    const replaced = await replacedBy(() => stack.up(undefined, { replace: replace.map(urn) }));
    assert.deepEqual(
      replaced,
      replace.filter((title) => !title.startsWith("CustomResourceDefinition")),
    );
    assert.deepEqual(await pods(), before);
  });

  it("pulumi/pulumi-kubernetes#4522: --replace of the operator's namespace replaces what is in it", async () => {
    const replace = [urn("Namespace op-namespace")];
    const replaced = await replacedBy(() => stack.up(undefined, { replace }));
    assert.deepEqual(replaced.sort(), [...inNamespace].sort());
  });

  it("makes the operator anew under another prefix in another namespace, and the caches stay", async () => {
    const before = await pods();
    const replaced = await replacedBy(() => stack.up(moved));
    const all = Object.keys(await liveObjects(plane, stack));
    const stay = /^(CustomResourceDefinition op-crd|Memcached named|Memcached auto)$/;
    assert.deepEqual(
      replaced,
      all.filter((title) => !stay.test(title)),
    );
    assert.deepEqual(await pods(), before);
  });

  it("pulumi/pulumi-kubernetes#2370: another provider replaces nothing, another kubeconfig all but the CRD", async () => {
    const others = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name: "of-others" }, spec: {} };
    await plane.client.json("POST", caches(), others);
    const kubeconfig = readFileSync(plane.kubeconfig, "utf8");
    const at =
      (host: string): Program =>
      () =>
        moved(new Provider("another", { kubeconfig: kubeconfig.replace("127.0.0.1", host) }));
    assert.deepEqual(await replacedBy(() => stack.up(at("127.0.0.1"))), []);
    const replaced = await replacedBy(() => stack.up(at("localhost")));
    const all = Object.keys(await liveObjects(plane, stack));
    assert.deepEqual(
      replaced,
      all.filter((title) => !title.startsWith("CustomResourceDefinition")),
    );
    assert.equal((await plane.client.request("DELETE", `${caches()}/of-others`)).code, 200);
  });
});
