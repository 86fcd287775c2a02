import assert from "node:assert/strict";
import { inspect } from "node:util";
import { output } from "@pulumi/pulumi";
import type { ComponentResourceOptions } from "@pulumi/pulumi";
import { Memcached, MemcachedOperator, OperatorImage } from "../../../components";
import type { MemcachedArgs, MemcachedOperatorArgs, OperatorImageArgs } from "../../../components";
import { record } from "./record";

/** What is no value of an argument, as plain JavaScript or another language may pass it. */
type Wrong<Args> = { [argument in keyof Args]-?: unknown[] };

const late = output("late");
const object = ["text", 1, true, ["list"], null];
const flag = ["yes", 1, null, {}, output(true)];
const text = [1, true, null, {}, ["list"], ""];
const word = [...text, "two words"];
const labels = [...object, { key: 1 }, { key: null }, { key: "two words" }, { key: "x".repeat(64) }, { "no key": "a" }];
const domain = [...text, "Cluster.local", "cluster.local.", ".local", "a..b", "two words", "d".repeat(129)];
const timeout = ["soon", "0s", "-1s", -1, 0, true, null, {}, ["5m"], "5 minutes", late];

const memcached: Wrong<MemcachedArgs> = {
  name: [1, null, {}, "", "My_Cache", "1st", "x".repeat(53)],
  namespace: [...text, "Shop", "x".repeat(64), "a.b"],
  clusterDomain: domain,
  labels,
  annotations: [...object, { key: 1 }, { "no key": "a" }],
  readyTimeout: timeout,
  skipAwait: flag,
  patchForce: flag,
  size: ["3", true, {}, [3], 1.5, -1, 101, NaN, Infinity, 3n],
  image: [1, true, {}, ["a"], ""],
  imagePullPolicy: [1, {}, "Sometimes", "always"],
  imagePullSecrets: ["registry-credentials", 1, {}, ["registry-credentials"], [{ name: 1 }], [{ nome: "a" }]],
  port: ["11211", {}, 80, 65536, 1024.5],
  memory: [64, true, {}, "", "64", "64.5Mi", "7Mi", "5Ti"],
  connections: ["1024", 31, 500_001],
  threads: ["4", 0, 129],
  maxItemSize: [1, {}, "1", "40Mi", "513Ki"],
  verbosity: ["1", -1, 3],
  extraArgs: ["-o modern", {}, [1], ["-p11212"], ["--port=1"], ["-d"]],
  resources: [
    "small",
    1,
    [],
    { limits: "64Mi" },
    { limit: {} },
    { limits: { memory: "much" } },
    { limits: { memory: null } },
  ],
  workload: [1, {}, "DaemonSet", "statefulset"],
  rollout: [
    ...["fast", 1, ["list"], { pace: 1 }, { maxSurge: 0 }],
    ...[null, true, -1, 1.5, "1.5", "some"].map((maxUnavailable) => ({ maxUnavailable })),
  ],
  nodeSelector: ["a", 1, ["list"], { key: 1 }, { key: null }],
  tolerations: ["all", {}, ["all"], [{ effects: "NoExecute" }], [{ key: null }]],
  affinity: ["a", 1, ["list"], { podAffinities: {} }, { nodeAffinity: null }],
  topologySpreadConstraints: ["zone", {}, ["zone"], [{ maxSkew: "1" }]],
  priorityClassName: [1, {}, ["a"]],
  podLabels: ["a", 1, ["list"], { key: 1 }, { "example.com/key": null }],
  podAnnotations: ["a", 1, ["list"], { key: 1 }, { key: null }],
  schedulerName: [1, {}, ["a"], ""],
  runtimeClassName: [1, {}, ["a"], ""],
  serviceAccountName: [1, {}, ["a"], "", "My_Account"],
  childLabels: labels,
  service: [
    ...["headless", 1, ["list"], { type: "ExternalName" }, { kind: "NodePort" }, { type: null }, { headless: "no" }],
    ...["all", ["10.0.0.0"], ["10.0.0.0/33"]].map((sourceRanges) => ({ type: "LoadBalancer", sourceRanges })),
    { type: "NodePort", externalTrafficPolicy: "Nowhere" },
    ...[{ ipFamilyPolicy: "DualStack" }, { ipFamilies: "IPv6" }, { ipFamilies: ["IPv5"] }],
  ],
  tls: [
    ...["on", true, {}, { secretName: 1 }, { secretName: "a", minVersion: "1.1" }, { secretName: "a", ca: "b" }],
    ...[
      { secretName: "a", plaintextPort: 80 },
      { secretName: "a", clientCA: "ca" },
    ],
  ],
  auth: [
    ...["on", true, {}, { secretName: 1 }, { secretName: "a", password: "b" }],
    ...[{ users: {} }, { users: ["app"] }, { users: { "a b": "c" } }, { users: { "a:b": "c" } }, { users: { a: "" } }],
    ...[
      { users: { a: 1 } },
      { users: { a: "b\nc" } },
      { users: { a: "b".repeat(254) } },
      { users: output({ a: "b" }) },
    ],
    ...[
      { users: { a: "b" }, secretName: "c" },
      { users: Object.fromEntries([..."123456789"].map((user) => [user, "a"])) },
    ],
  ],
  reload: ["on", true, { image: 1 }, { images: "a" }],
  disruptionBudget: ["none", 1, {}, { maxUnavailable: "some" }, { maxUnavailable: 1, minAvailable: 1 }],
  networkPolicy: [
    "shop",
    {},
    { from: [] },
    { from: "shop" },
    { from: [{ pods: {} }] },
    { from: [{}], allowDNS: "yes" },
  ],
};

const operator: Wrong<MemcachedOperatorArgs> = {
  image: [undefined, ...word],
  operandImage: word,
  namespace: [...text, "My Ns", "x".repeat(64)],
  createNamespace: flag,
  namePrefix: [...text, "Blue-", "p".repeat(30), "-a", output("a-")],
  installCrds: flag,
  retainCrds: flag,
  watchNamespaces: ["team-a", {}, [], [1], [null], ["A"], ["a", "a"], output(["a"])],
  secretAccess: ["team-a", {}, [], [1], [null], ["A"], ["a", "a"], ["*", "a"], output(["a"])],
  clusterDomain: domain,
  replicas: ["2", true, {}, 1.5, -1, 101],
  resources: [...object, { limit: {} }, { limits: "64Mi" }, { limits: { memory: "much" } }, { limits: { cpu: -1 } }],
  imagePullSecrets: ["a", {}, 1, [1], [{ name: "a" }], ["A_b"]],
  proxy: [...object, { http: "a" }, { httpProxy: 1 }, { httpsProxy: "two words" }, { noProxy: ["a"] }],
  logLevel: [1, {}, "loud", "INFO"],
  metrics: [
    ...object,
    { on: true },
    { enabled: "yes" },
    { port: 80 },
    { port: 8081 },
    { port: "8080" },
    { secure: "no" },
    { certSecret: "A b" },
  ],
  leaderElect: ["yes", 1, null, {}],
  nodeSelector: labels,
  tolerations: [
    "all",
    {},
    ["all"],
    [{ effects: "NoExecute" }],
    [{ effect: "Never" }],
    [{ operator: "In" }],
    [{ key: null }],
    [{ value: 1 }],
  ],
  affinity: [...object, { podAffinities: {} }, { nodeAffinity: "a" }, { podAffinity: { required: [null] } }],
  labels,
  annotations: [...object, { key: 1 }],
  readyTimeout: timeout,
  skipAwait: flag,
  patchForce: flag,
};

const image: Wrong<OperatorImageArgs> = {
  contextDir: [1, null, {}, late],
  name: [1, null, {}, "Op", "registry.example.com/op:1", late],
  engine: [1, {}, "kaniko", late],
  base: [1, null, {}, late],
  push: flag,
  loadInto: [...object, {}, { containerdAddress: 1 }, { containerdAddress: "/s", namespaces: "k8s.io" }],
};

type Construct = (args: object, opts?: ComponentResourceOptions) => unknown;
const components: [kind: string, wrong: Record<string, unknown[]>, base: object, construct: Construct][] = [
  ["Memcached", memcached, {}, (args, opts) => new Memcached("it", args, opts)],
  ["MemcachedOperator", operator, { image: "a:1" }, (args, opts) => new MemcachedOperator("it", args as never, opts)],
  ["OperatorImage", image, {}, (args, opts) => new OperatorImage("it", args, opts)],
];

for (const [kind, wrongs, base, construct] of components)
  describe(`${kind} refuses before anything is registered`, () => {
    for (const [argument, values] of Object.entries(wrongs))
      it(`a wrong ${argument}`, async () => {
        for (const value of values) await refused(argument, value, { ...base, [argument]: value });
      });

    it("null in place of any argument", async () => {
      for (const argument of Object.keys(wrongs)) await refused(argument, null, { ...base, [argument]: null });
    });

    it("args that are none", async () => {
      for (const args of ["text", 1, null, ["list"]]) await refused("args", args, args as never);
    });

    async function refused(argument: string, value: unknown, args: object): Promise<void> {
      const { result, registrations } = await record((opts) => {
        try {
          construct(args, opts);
          return undefined;
        } catch (error) {
          return (error as Error).message;
        }
      });
      const of = `${argument}: ${inspect(value)}`;
      assert.ok(result, `${kind} took ${of}`);
      assert.ok(result.startsWith(`${kind} "it" is refused: `), result);
      assert.ok(result.includes(argument === "name" && kind === "Memcached" ? "metadata.name" : argument), result);
      if (value !== undefined && typeof value !== "object" && value !== "")
        assert.ok(
          result.includes(typeof value === "string" ? value.slice(0, 20) : String(value)),
          `no value: ${result}`,
        );
      assert.match(result, /\b(give|must|write|remove|use|there are|set|is not a field)\b/, `no remedy: ${result}`);
      assert.deepEqual(registrations, [], `something was registered for ${of}`);
    }
  });
