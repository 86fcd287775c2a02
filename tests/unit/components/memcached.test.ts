import assert from "node:assert/strict";
import { output } from "@pulumi/pulumi";
import { Memcached } from "../../../components";
import type { MemcachedArgs } from "../../../components";
import type { MemcachedOptions } from "../../../components/memcachedOptions";
import { record, unknown, valueOf } from "./record";

const type = "kubernetes:cache.example.com/v1:Memcached";

describe("Memcached", () => {
  it("registers the component and the resource that waits to be Ready", async () => {
    const { registrations, one } = await record((opts) => new Memcached("cache", {}, opts));
    assert.deepEqual(
      registrations.map((r) => [r.type, r.name]),
      [
        ["memcached:index:Memcached", "cache"],
        [type, "cache"],
      ],
    );
    const { inputs, opts } = one(type, "cache");
    assert.deepEqual(inputs, {
      apiVersion: "cache.example.com/v1",
      kind: "Memcached",
      metadata: { annotations: { "pulumi.com/waitFor": "condition=Ready" } },
      spec: {},
    });
    assert.deepEqual(opts.customTimeouts, { create: "5m", update: "5m", delete: "5m" });
    assert.ok(opts.parent instanceof Memcached);
  });

  it("sends what it was given, and forces a size that it was given", async () => {
    const args: MemcachedArgs = {
      name: "sessions",
      namespace: "shop",
      size: 3,
      memory: "256Mi",
      extraArgs: ["-o", "modern"],
      rollout: { maxSurge: "25%", maxUnavailable: 1 },
      labels: { team: "checkout" },
      annotations: { note: "x" },
      readyTimeout: "90",
    };
    const { one } = await record((opts) => new Memcached("cache", args, opts));
    const { inputs, opts } = one(type, "cache");
    const rollout = { maxSurge: "25%", maxUnavailable: 1 };
    assert.deepEqual(inputs.spec, { size: 3, memory: "256Mi", extraArgs: ["-o", "modern"], rollout });
    assert.deepEqual(inputs.metadata, {
      name: "sessions",
      namespace: "shop",
      labels: { team: "checkout" },
      annotations: { note: "x", "pulumi.com/waitFor": "condition=Ready", "pulumi.com/patchForce": "true" },
    });
    assert.deepEqual(opts.customTimeouts, { create: "90s", update: "90s", delete: "5m" });
  });

  it("makes the Secret of its users, whose passwords are secrets wherever they stand", async () => {
    const args: MemcachedArgs = { namespace: "shop", auth: { users: { app: output("hidden"), old: "former" } } };
    const { one, registrations } = await record((opts) => new Memcached("cache", args, opts));
    const { inputs } = one("kubernetes:core/v1:Secret", "cache-users");
    const { name, namespace } = inputs.metadata;
    assert.match(name, /^cache-users-[0-9a-f]{8}$/);
    assert.equal(namespace, "shop");
    assert.match(JSON.stringify(inputs.stringData), /app:hidden.+old:former/);
    assert.deepEqual(one(type, "cache").inputs.spec, { auth: { secretName: name } });
    // How Pulumi marks a secret on its way to the engine.
    const mark = "4dabf18193072939515e22adb298388d";
    const withoutSecrets = (_: string, value: object) => (value !== null && mark in Object(value) ? "secret" : value);
    for (const { type, inputs } of registrations)
      assert.doesNotMatch(JSON.stringify(inputs, withoutSecrets), /hidden|former/, type);
  });

  it("waits for nothing with skipAwait, and yields to annotations of the user", async () => {
    const skipped = await record((opts) => new Memcached("cache", { skipAwait: true }, opts));
    assert.deepEqual(skipped.one(type, "cache").inputs.metadata.annotations, { "pulumi.com/skipAwait": "true" });
    const annotations = { "pulumi.com/waitFor": "jsonpath={.status.readyReplicas}=2" };
    const own = await record((opts) => new Memcached("cache", { annotations }, opts));
    assert.deepEqual(own.one(type, "cache").inputs.metadata.annotations, annotations);
  });

  it("gives addresses by its arguments, and the nodes of the status where there is one", async () => {
    const status = { servers: ["cache.default.svc.cluster.local:11311"], nodes: ["cache-a", "cache-b"] };
    const { result } = await record((opts) => new Memcached("c", { name: "cache", port: 11311 }, opts), { status });
    assert.equal(await valueOf(result.name), "cache");
    assert.equal(await valueOf(result.namespace), "default");
    assert.equal(await valueOf(result.host), "cache.default.svc.cluster.local");
    assert.equal(await valueOf(result.port), 11311);
    assert.deepEqual(await valueOf(result.servers), status.servers);
    assert.deepEqual(await valueOf(result.nodes), status.nodes);

    const rendered = await record((opts) => new Memcached("c", { name: "cache" }, opts));
    assert.deepEqual(await valueOf(rendered.result.servers), ["cache.default.svc.cluster.local:11211"]);
    assert.deepEqual(await valueOf(rendered.result.nodes), []);
  });

  it("gives each server of a StatefulSet its own name", async () => {
    const args: MemcachedArgs = { name: "cache", namespace: "shop", size: 2, workload: "StatefulSet" };
    const { one, result } = await record((opts) => new Memcached("c", args, opts));
    assert.deepEqual(one(type, "c").inputs.spec, { size: 2, workload: "StatefulSet" });
    assert.deepEqual(await valueOf(result.servers), [
      "cache-0.cache.shop.svc.cluster.local:11211",
      "cache-1.cache.shop.svc.cluster.local:11211",
    ]);
  });

  it("takes the size of a StatefulSet from the cluster when it is not given, and 1 where none is there", async () => {
    const args: MemcachedArgs = { name: "cache", namespace: "shop", workload: "StatefulSet" };
    const names = (size: number) =>
      Array.from({ length: size }, (_, i) => `cache-${i}.cache.shop.svc.cluster.local:11211`);
    const running = await record((opts) => new Memcached("c", args, opts), { status: { servers: names(3) } });
    assert.deepEqual(await valueOf(running.result.servers), names(3));
    const rendered = await record((opts) => new Memcached("c", args, opts));
    assert.deepEqual(await valueOf(rendered.result.servers), names(1));
    const previewed = await record((opts) => new Memcached("c", args, opts), { preview: true });
    assert.equal(await valueOf(previewed.result.servers), undefined);
  });

  it("mattermost/mattermost-operator#289, weaviate/weaviate-helm#175: ends addresses in the cluster's domain, also beside an operator that gives none", async () => {
    const args: MemcachedArgs = { name: "cache", namespace: "shop", clusterDomain: output("k8s.example.com") };
    const status = { servers: ["cache.shop.svc:11211"] };
    const { result, one } = await record((opts) => new Memcached("c", args, opts), { status });
    assert.equal(await valueOf(result.host), "cache.shop.svc.k8s.example.com");
    assert.deepEqual(await valueOf(result.servers), ["cache.shop.svc.k8s.example.com:11211"]);
    assert.deepEqual(one(type, "c").inputs.spec, {});
  });

  it("leaves only what is unknown unknown in a preview", async () => {
    const args = { name: "cache", namespace: "shop", size: 2, image: unknown<string>() };
    const { one, result } = await record((opts) => new Memcached("c", args, opts), { preview: true });
    const { inputs } = one(type, "c");
    assert.equal(inputs.spec.size, 2);
    assert.equal(inputs.metadata.name, "cache");
    assert.notEqual(typeof inputs.spec.image, "string");
    assert.equal(await valueOf(result.host), "cache.shop.svc.cluster.local");
    assert.deepEqual(await valueOf(result.servers), ["cache.shop.svc.cluster.local:11211"]);
    assert.equal(await valueOf(result.port), 11211);
    assert.equal(await valueOf(result.nodes), undefined);
  });

  it("pulumi/pulumi-kubernetes#971: leaves the namespace to the provider, which a preview without a cluster cannot ask", async () => {
    const { one, result } = await record((opts) => new Memcached("c", { name: "cache" }, opts), { preview: true });
    assert.equal("namespace" in one(type, "c").inputs.metadata, false);
    assert.equal(await valueOf(result.namespace), undefined);
    assert.equal(await valueOf(result.host), undefined);
  });

  it("pulumi/pulumi-kubernetes#4522: deletes a named cache before it replaces it, unless told otherwise", async () => {
    const option = async (args: MemcachedArgs, given: MemcachedOptions = {}) =>
      (await record((opts) => new Memcached("c", args, { ...opts, ...given }))).one(type, "c").opts.deleteBeforeReplace;
    assert.equal(await option({ name: "cache" }), true);
    assert.equal(await option({ name: output("cache") }), true);
    assert.equal(await option({}), undefined);
    assert.equal(await option({ name: "cache" }, { deleteBeforeReplace: false }), false);
    assert.equal(await option({}, { deleteBeforeReplace: true }), true);
  });

  it("pulumi/pulumi#9877, #8969: hands options to the resource, whose properties are called as the arguments are", async () => {
    const given: MemcachedOptions = {
      ignoreChanges: ["size", "labels.team", "resources.limits.memory", "spec.memory", '["threads"]'],
      replaceOnChanges: ["image", "annotations", "*"],
      hideDiffs: ["extraArgs[0]"],
      additionalSecretOutputs: ["nodes", "host"],
      customTimeouts: { create: "20m" },
      import: "shop/cache",
      replacementTrigger: 1,
      hooks: { afterCreate: [] },
    };
    const { one } = await record((opts) => new Memcached("c", { name: "cache" }, { ...opts, ...given }));
    const { opts } = one(type, "c");
    const paths = [
      "spec.size",
      "metadata.labels.team",
      "spec.resources.limits.memory",
      "spec.memory",
      'spec["threads"]',
    ];
    assert.deepEqual(opts.ignoreChanges, paths);
    assert.deepEqual(opts.replaceOnChanges, ["spec.image", "metadata.annotations", "*"]);
    assert.deepEqual(opts.hideDiffs, ["spec.extraArgs[0]"]);
    assert.deepEqual(opts.additionalSecretOutputs, ["status", "metadata"]);
    assert.deepEqual(opts.customTimeouts, { create: "20m", update: "5m", delete: "5m" });
    assert.equal(opts.import, "shop/cache");
    assert.equal(opts.replacementTrigger, 1);
    assert.deepEqual(opts.hooks, { afterCreate: [] });
    const component = one("memcached:index:Memcached", "c").opts as MemcachedOptions;
    assert.deepEqual(component.ignoreChanges, [
      "size",
      "labels.team",
      "resources.limits.memory",
      "memory",
      '["threads"]',
    ]);
    for (const key of ["replaceOnChanges", "additionalSecretOutputs", "customTimeouts", "import", "hooks"] as const)
      assert.equal(component[key], undefined, key);
  });

  it("takes the empty options that other languages hand over for none", async () => {
    const customTimeouts = { create: "", update: "", delete: "" };
    const given: MemcachedOptions = { ignoreChanges: [], replaceOnChanges: [], customTimeouts };
    const args: MemcachedArgs = { readyTimeout: "90s" };
    const { one } = await record((opts) => new Memcached("c", args, { ...opts, ...given }));
    assert.deepEqual(one(type, "c").opts.customTimeouts, { create: "90s", update: "90s", delete: "5m" });
  });

  const refused: [what: string, args: MemcachedArgs, opts: MemcachedOptions, says: RegExp][] = [
    [
      "a misspelt property",
      {},
      { ignoreChanges: ["siez"] },
      /ignoreChanges has "siez": unknown argument; use one of name, .*size/,
    ],
    ["one of the component alone", {}, { ignoreChanges: ["skipAwait"] }, /"skipAwait": not a property of the resource/],
    [
      "an output that is none",
      {},
      { additionalSecretOutputs: ["url"] },
      /additionalSecretOutputs has "url": unknown output; use one of name,/,
    ],
    [
      "two timeouts",
      { readyTimeout: "1m" },
      { customTimeouts: { create: "2m" } },
      /customTimeouts\.create is given with readyTimeout: leave out one of them/,
    ],
    [
      "an import of what has no name",
      {},
      { import: "shop/cache" },
      /args\.name is left out: give the name of the imported resource/,
    ],
  ];
  for (const [what, args, opts, says] of refused)
    it(`refuses in options ${what}`, async () => {
      await assert.rejects(
        record((given) => new Memcached("c", args, { ...given, ...opts })),
        { message: says },
      );
    });

  it("checks values that come late as soon as they are there", async () => {
    const { one } = await record((opts) => new Memcached("c", { size: output(2), memory: "64Mi" }, opts));
    assert.deepEqual(one(type, "c").inputs.spec, { size: 2, memory: "64Mi" });
  });
});
