import assert from "node:assert/strict";
import { output, runtime } from "@pulumi/pulumi";
import { memcachedCrd } from "../../../api";
import { MemcachedOperator } from "../../../components";
import type { MemcachedOperatorArgs } from "../../../components";
import { operatorManifests } from "../../../components/manifests";
import { dependencies, record, unknown, valueOf } from "./record";

const image = "registry.example.com/memcached-operator:1";
const crdType = "kubernetes:apiextensions.k8s.io/v1:CustomResourceDefinition";
const deploymentType = "kubernetes:apps/v1:Deployment";
const install = (args: Partial<MemcachedOperatorArgs> = {}, preview = false) =>
  record((opts) => new MemcachedOperator("op", { image, ...args }, opts), { preview });

describe("MemcachedOperator", () => {
  it("registers these children, under these names, and no others", async () => {
    const { registrations } = await install();
    const rbac = "kubernetes:rbac.authorization.k8s.io/v1";
    assert.deepEqual(registrations.map((r) => `${r.type} ${r.name}`).sort(), [
      `${crdType} op-crd`,
      `${deploymentType} op-controller-manager`,
      "kubernetes:core/v1:Namespace op-namespace",
      "kubernetes:core/v1:Service op-controller-manager-metrics-service",
      "kubernetes:core/v1:ServiceAccount op-controller-manager",
      `${rbac}:ClusterRole op-manager-role`,
      `${rbac}:ClusterRole op-memcached-admin-role`,
      `${rbac}:ClusterRole op-memcached-editor-role`,
      `${rbac}:ClusterRole op-memcached-viewer-role`,
      `${rbac}:ClusterRole op-metrics-auth-role`,
      `${rbac}:ClusterRole op-metrics-reader`,
      `${rbac}:ClusterRole op-secrets-role`,
      `${rbac}:ClusterRoleBinding op-manager-rolebinding`,
      `${rbac}:ClusterRoleBinding op-metrics-auth-rolebinding`,
      `${rbac}:Role op-leader-election-role`,
      `${rbac}:RoleBinding op-leader-election-rolebinding`,
      "memcached:index:MemcachedOperator op",
    ]);
    for (const { type, opts } of registrations.slice(1))
      assert.ok(opts.parent instanceof MemcachedOperator, `${type} is not the component's child`);
  });

  it("sends the same objects as deploy/install.yaml", async () => {
    const { registrations } = await install();
    for (const manifest of operatorManifests({ image })) {
      const same = registrations.filter(
        (r) => r.inputs?.kind === manifest.kind && r.inputs.metadata.name === manifest.metadata.name,
      );
      assert.equal(same.length, 1, `${manifest.kind} ${String(manifest.metadata.name)}`);
      const inputs = structuredClone(same[0]!.inputs);
      delete inputs.metadata.annotations;
      assert.deepEqual(inputs, manifest);
    }
  });

  it("waits for the CRD to be established and keeps it on destroy, unless told otherwise", async () => {
    const { inputs, opts } = (await install()).one(crdType, "op-crd");
    const crd = memcachedCrd() as unknown as { metadata: object; spec: object };
    assert.deepEqual(inputs.spec, JSON.parse(JSON.stringify(crd.spec)));
    assert.equal(inputs.metadata.annotations["pulumi.com/waitFor"], "condition=Established");
    assert.equal(inputs.metadata.annotations["pulumi.com/patchForce"], "true");
    assert.equal(opts.retainOnDelete, true);
    assert.equal(opts.deleteBeforeReplace, undefined);
    const removed = (await install({ retainCrds: false })).one(crdType, "op-crd").opts;
    assert.equal(removed.retainOnDelete, false);
    assert.equal(removed.deleteBeforeReplace, true);
    const without = await install({ installCrds: false });
    assert.ok(!without.registrations.some((r) => r.type === crdType));
  });

  it("starts the controller after its CRD and its rights, and these after the namespace", async () => {
    const { one } = await install();
    const controller = one(deploymentType, "op-controller-manager");
    assert.deepEqual(await dependencies(controller.opts), [
      "op-crd",
      "op-leader-election-rolebinding",
      "op-manager-rolebinding",
      "op-metrics-auth-rolebinding",
    ]);
    const binding = one("kubernetes:rbac.authorization.k8s.io/v1:ClusterRoleBinding", "op-manager-rolebinding");
    assert.ok((await dependencies(binding.opts)).includes("op-manager-role"));
    const account = one("kubernetes:core/v1:ServiceAccount", "op-controller-manager");
    assert.deepEqual(await dependencies(account.opts), ["op-namespace"]);
  });

  it("pulumi/pulumi-kubernetes#4522: deletes each object before it replaces it, since all names are fixed", async () => {
    const { registrations } = await install();
    const children = registrations.filter(({ type }) => type.startsWith("kubernetes:") && type !== crdType);
    assert.deepEqual(
      children.filter(({ opts }) => opts.deleteBeforeReplace !== true),
      [],
    );
  });

  it("says on the first two objects whose they are, before it makes any other", async () => {
    const { registrations, one } = await install();
    const owner = "MemcachedOperator op of stack organization/project/stack";
    const marked = registrations.filter(
      ({ inputs }) => inputs?.metadata?.annotations?.[`cache.example.com/installed-by`],
    );
    assert.deepEqual(
      marked.map(({ name, inputs }) => [name, inputs.metadata.annotations]),
      ["op-memcached-viewer-role", "op-namespace"].map((name) => [
        name,
        { "cache.example.com/installed-by": owner, "pulumi.com/patchFieldManager": owner },
      ]),
    );
    assert.deepEqual(await dependencies(one("kubernetes:core/v1:Namespace", "op-namespace").opts), [
      "op-memcached-viewer-role",
    ]);
    assert.deepEqual(await dependencies(one(crdType, "op-crd").opts), ["op-namespace"]);
    const here = await install({ createNamespace: false });
    const account = here.one("kubernetes:core/v1:ServiceAccount", "op-controller-manager");
    assert.deepEqual(await dependencies(account.opts), ["op-memcached-viewer-role"]);
  });

  it("has an owner's name that fits a field manager, and differs with its end", async () => {
    const owner = async (name: string) => {
      const { one } = await record((opts) => new MemcachedOperator(name, { image }, opts));
      const { inputs } = one("kubernetes:core/v1:Namespace", `${name}-namespace`);
      return inputs.metadata.annotations["cache.example.com/installed-by"] as string;
    };
    const [a, b] = [await owner(`${"o".repeat(120)}a`), await owner(`${"o".repeat(120)}b`)];
    assert.equal(a.length, 128);
    assert.notEqual(a, b);
  });

  it("holds nothing up for the metrics Service", async () => {
    const { one } = await install();
    const { inputs } = one("kubernetes:core/v1:Service", "op-controller-manager-metrics-service");
    assert.deepEqual(inputs.metadata.annotations, { "pulumi.com/skipAwait": "true" });
  });

  it("waits readyTimeout for its pods, or not at all", async () => {
    const waiting = (await install({ readyTimeout: "2m" })).one(deploymentType, "op-controller-manager");
    assert.deepEqual(waiting.opts.customTimeouts, { create: "2m", update: "2m", delete: "5m" });
    assert.equal(waiting.inputs.metadata.annotations, undefined);
    const skipped = (await install({ skipAwait: true })).one(deploymentType, "op-controller-manager");
    assert.deepEqual(skipped.inputs.metadata.annotations, { "pulumi.com/skipAwait": "true" });
  });

  it("keeps its children's names when the prefix changes, and tells watched namespaces apart", async () => {
    const watched = { namePrefix: "blue-", namespace: "blue", watchNamespaces: ["a", output("b")] };
    const { one, registrations } = await install(watched);
    const names = registrations.filter((r) => r.type.endsWith(":Role")).map((r) => r.name);
    assert.deepEqual(names.sort(), ["op-leader-election-role", "op-manager-role-1", "op-manager-role-a"]);
    assert.equal(one(deploymentType, "op-controller-manager").inputs.metadata.name, "blue-controller-manager");
  });

  it("previews with an image that is not built yet", async () => {
    const { one } = await install({ image: unknown() }, true);
    const { inputs } = one(deploymentType, "op-controller-manager");
    assert.equal(inputs.metadata.namespace, "memcached-operator-system");
    assert.deepEqual(inputs.spec.template.spec.containers[0].args[0], "--leader-elect");
  });

  it("gives the operator's namespace, image and names", async () => {
    const { result } = await install({ namePrefix: "blue-", namespace: output("blue") });
    assert.equal(await valueOf(result.namespace), "blue");
    assert.equal(await valueOf(result.image), image);
    assert.equal(await valueOf(result.deploymentName), "blue-controller-manager");
    assert.equal(await valueOf(result.serviceAccountName), "blue-controller-manager");
  });
});

describe("MemcachedOperator validation", () => {
  const cases: [what: string, args: object, says: RegExp][] = [
    ["no image", { image: undefined }, /^MemcachedOperator "op" is refused: image is missing: give an image reference/],
    ["an empty image", { image: "" }, /image is "": give an image reference/],
    [
      "an argument that is misspelt",
      { imagePullSecret: ["a"] },
      /imagePullSecret: unknown argument; use one of image, /,
    ],
    ["a namespace that is none", { namespace: "My Ns" }, /namespace is "My Ns": give a DNS label/],
    ["a prefix too long for its Service", { namePrefix: "p".repeat(30) }, /namePrefix is "p{30}": give at most 29/],
    ["a prefix of capitals", { namePrefix: "Blue-" }, /namePrefix is "Blue-"/],
    ["a prefix that comes late", { namePrefix: output("x-") }, /namePrefix is an Output/],
    ["no watched namespaces", { watchNamespaces: [] }, /watchNamespaces is \[\]: give a list of at least one/],
    ["a list of namespaces that comes late", { watchNamespaces: output(["a"]) }, /watchNamespaces is an Output/],
    ["a namespace watched twice", { watchNamespaces: ["a", "a"] }, /watchNamespaces has "a" twice/],
    ["half a replica", { replicas: 1.5 }, /replicas is 1\.5: give a whole number from 0 to 100/],
    [
      "two leaders",
      { replicas: 2, leaderElect: false },
      /replicas is 2 with leaderElect false: give replicas 1, or leaderElect true/,
    ],
    ["a log level of its own", { logLevel: "loud" }, /logLevel is "loud": give one of "debug", "info"/],
    ["a port below 1024", { metrics: { port: 80 } }, /metrics\.port is 80: give a whole number from 1024 to 65535/],
    [
      "the port of the probes",
      { metrics: { port: 8081 } },
      /metrics\.port is 8081, the port of the health probes: give another port/,
    ],
    [
      "metrics that are misspelt",
      { metrics: { on: true } },
      /metrics\.on: unknown argument; use one of enabled, secure, port/,
    ],
    [
      "a certificate for metrics in clear",
      { metrics: { secure: false, certSecret: "tls" } },
      /metrics\.certSecret is given with metrics\.secure false/,
    ],
    ["metrics that are no object", { metrics: false }, /metrics is false: give an object/],
    ["a switch that comes late", { installCrds: output(true) }, /installCrds is an Output: give true or false, known/],
    ["text for a switch", { retainCrds: "no" }, /retainCrds is "no": give true or false/],
    ["labels that are a list", { labels: ["a"] }, /labels is \["a"\]: give a map of strings/],
    ["proxies that are misspelt", { proxy: { http: "x" } }, /proxy\.http: unknown argument/],
  ];
  const options: [option: string, value: unknown, says: RegExp][] = [
    ["ignoreChanges", ["replicas"], /the option ignoreChanges has no effect .*: leave the argument out/],
    ["customTimeouts", { create: "9m" }, /the option customTimeouts has no effect .*: give readyTimeout/],
    ["replaceOnChanges", ["image"], /the option replaceOnChanges has no effect .* with a transform/],
    ["additionalSecretOutputs", ["image"], /additionalSecretOutputs has no effect .*: give a secret argument/],
    ["deleteBeforeReplace", false, /deleteBeforeReplace has no effect .*: leave it out/],
    ["import", "a/b", /import has no effect .*: give patchForce/],
  ];
  for (const [option, value, says] of options)
    it(`pulumi/pulumi#9877, #8969: refuses the option ${option}, and says what to use`, async () => {
      await assert.rejects(
        record((opts) => new MemcachedOperator("op", { image }, { ...opts, [option]: value })),
        { message: says },
      );
    });

  it("takes the empty options that other languages hand over for none", async () => {
    const empty = { ignoreChanges: [], replaceOnChanges: [], customTimeouts: { create: "", update: "", delete: "" } };
    await record((opts) => new MemcachedOperator("op", { image }, { ...opts, ...empty }));
  });

  for (const [what, args, says] of cases)
    it(`refuses ${what}`, async () => {
      await runtime.setMocks({ call: () => ({}), newResource: () => ({ id: "", state: {} }) });
      const all = { image, ...args } as MemcachedOperatorArgs;
      assert.throws(() => new MemcachedOperator("op", all), { message: says });
    });
});
