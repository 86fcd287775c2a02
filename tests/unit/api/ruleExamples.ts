import type { MemcachedSpec } from "../../../api";
import { extraArgsExamples } from "./extraArgsExamples";
import { placementExamples } from "./placementExamples";
import { rolloutExamples } from "./rolloutExamples";
import type { RuleExample } from "./ruleExample";
import { securityExamples } from "./securityExamples";

const sizes = (field: "memory" | "maxItemSize", texts: string[], rest: MemcachedSpec = {}): MemcachedSpec[] =>
  texts.map((text) => ({ ...rest, [field]: text }));

const badKeys = [
  "",
  "-a",
  "a-",
  "a b",
  "a/b/c",
  "/a",
  "a/",
  "a_b/c",
  "a".repeat(64),
  "a\n",
  `${"a.".repeat(150)}a/${"b".repeat(63)}`,
];

const badLabels: Record<string, string>[] = [
  ...badKeys.map((key) => ({ [key]: "x" })),
  ...["-", "a-", " ", "a b", "ä", "a\n"].map((value) => ({ team: value })),
];

const goodLabels: Record<string, string>[] = [
  {},
  { team: "", Team: "Check_out.2" },
  { "node.example.com/pool": "a".repeat(63), [`a/${"b".repeat(63)}`]: "1" },
];

export const ruleExamples: RuleExample[] = [
  {
    sentence: "spec.image must be an image reference",
    refused: [
      ...["memcached 1.6", " ", "-memcached", "memcached\n", "Memcached", "registry.example.com/Team/memcached:1"],
      ...["memcached:", "memcached:-1", `memcached:${"1".repeat(129)}`, "a//b", "/a", "a/", "a.-b", "a___b", "a..b"],
      ...["m@sha256:0", `m@sha256:${"A".repeat(64)}`, `m@md5:${"0".repeat(32)}`, "m@", "registry:port/m", "a+b"],
      ...["https://registry.example.com/m", "[::1/m", "-registry/Team"],
    ].map((image) => ({ image })),
    allowed: [
      ...["memcached", "registry:5000/a/b:1.6", "Registry.Example.com/team/memcached:RC_1.6-Alpine", "localhost/m"],
      ...[
        "a--b__c.d_e/f",
        `m:1.6@sha256:${"0123456789abcdef".repeat(4)}`,
        `m@sha512:${"0".repeat(128)}`,
        "[::1]:5000/m",
      ],
      ...[`m:${"1".repeat(128)}`, "Team/memcached", "10.0.0.1:5000/m"],
    ].map((image) => ({ image })),
  },
  {
    sentence: "spec.imagePullSecrets[].name must be the name of a Secret",
    refused: [{ imagePullSecrets: [{ name: "Registry" }] }, { imagePullSecrets: [{ name: "a" }, { name: "a." }] }],
    allowed: [{ imagePullSecrets: [{ name: "registry" }, { name: "a.b-c.d" }] }, { imagePullSecrets: [] }],
  },
  {
    sentence: "spec.memory must be a whole number of mebibytes",
    refused: sizes("memory", ["", "64", "64 Mi", "-64Mi", "1.3Gi", "1G", "7Mi", "5Ti", "1e9", "64mi", "100Mi\n"]),
    allowed: sizes("memory", ["8Mi", "64Mi", "0.5Gi", "1.5Gi", "67108864", "65536Ki", "128Mi", "4Ti"]),
  },
  {
    sentence: "spec.maxItemSize must be a multiple of 512Ki",
    refused: sizes("maxItemSize", ["1k", "256Ki", "1200Ki", "1m", "1M", "1.25Mi", "1Gi1", "0"]),
    allowed: sizes("maxItemSize", ["512Ki", "524288", "1.5Mi", "1Mi", "0.25Gi", "1Gi"], { memory: "2Gi" }),
  },
  {
    sentence: "spec.maxItemSize must be at most half of spec.memory",
    refused: [{ maxItemSize: "33Mi" }, { memory: "8Mi", maxItemSize: "4.5Mi" }],
    allowed: [{ maxItemSize: "32Mi" }, { memory: "8Mi", maxItemSize: "4Mi" }],
  },
  {
    sentence: "spec.connections must be at least 5 for each of spec.threads plus 12",
    refused: [
      { connections: 32, threads: 5 },
      { connections: 651, threads: 128 },
    ],
    allowed: [{ connections: 32 }, { connections: 652, threads: 128 }],
  },
  ...extraArgsExamples,
  ...(["requests", "limits"] as const).map((map): RuleExample => ({
    sentence: `spec.resources.${map} must have only cpu, memory and ephemeral-storage, and quantities`,
    refused: [
      { resources: { [map]: { gpu: 1 } } },
      { resources: { [map]: { cpu: 1, "": "1" } } },
      ...["x", "-1", "1 Gi", "1gi", "", "1KiB", "m", "-", "5.", ".5", "+1", "1e"].map((cpu) => ({
        resources: { [map]: { cpu } },
      })),
    ],
    allowed: [
      { resources: { [map]: { cpu: 2, memory: "1Gi", "ephemeral-storage": "1G" } } },
      { resources: {} },
      ...["1", "0", 0, "1e3", "500m", "1.5", "1E", "0.1n", "1E2"].map((cpu) => ({ resources: { [map]: { cpu } } })),
    ],
  })),
  {
    sentence: "spec.resources.requests must not exceed",
    refused: [
      { resources: { requests: { cpu: 2 }, limits: { cpu: "1999m" } } },
      { resources: { requests: { memory: "129Mi" }, limits: { memory: "128Mi" } } },
    ],
    allowed: [
      { resources: { requests: { cpu: "1000m" }, limits: { cpu: 1 } } },
      { resources: { requests: { cpu: 2, memory: "1Gi" }, limits: { cpu: 2 } } },
    ],
  },
  {
    sentence: "spec.resources.limits.memory must be at least 32Mi more than spec.memory",
    refused: [
      { resources: { limits: { memory: "95Mi" } } },
      { memory: "1Gi", resources: { limits: { memory: "1Gi" } } },
    ],
    allowed: [{ resources: { limits: { memory: "96Mi" } } }, { resources: { limits: { memory: 100663296 } } }],
  },
  ...rolloutExamples,
  ...securityExamples,
  ...placementExamples,
  ...(["nodeSelector", "podLabels", "childLabels"] as const).map((field): RuleExample => ({
    sentence: `spec.${field} must have valid labels`,
    refused: [...badLabels, { "Example.com/a": "b" }].map((labels) => ({ [field]: labels })),
    allowed: goodLabels.map((labels) => ({ [field]: labels })),
  })),
  ...Object.entries({
    priorityClassName: "PriorityClass",
    schedulerName: "scheduler",
    runtimeClassName: "RuntimeClass",
    serviceAccountName: "ServiceAccount",
  }).map(([field, kind]): RuleExample => ({
    sentence: `spec.${field} must be the name of a ${kind}`,
    refused: ["High", "a_b", "-a", "a..b", "a\n"].map((name) => ({ [field]: name })),
    allowed: ["high", "system-cluster-critical", "a.b"].map((name) => ({ [field]: name })),
  })),
  {
    sentence: "spec.podLabels must not have labels that the operator or Kubernetes sets",
    refused: [
      { podLabels: { "app.kubernetes.io/name": "other" } },
      { podLabels: { team: "a", "app.kubernetes.io/instance": "other" } },
      { podLabels: { "pod-template-hash": "1" } },
      { podLabels: { "statefulset.kubernetes.io/pod-name": "a-0" } },
    ],
    allowed: [{ podLabels: { "app.kubernetes.io/part-of": "shop", "app.kubernetes.io/version": "1" } }],
  },
  {
    sentence: "spec.childLabels must not have labels that the operator sets",
    refused: ["instance", "name", "component", "managed-by"].map((label) => ({
      childLabels: { team: "a", [`app.kubernetes.io/${label}`]: "other" },
    })),
    allowed: [{ childLabels: { "app.kubernetes.io/part-of": "shop", "pod-template-hash": "1" } }],
  },
  {
    sentence: "spec.podAnnotations must have valid annotation keys that do not begin with cache.example.com/",
    refused: [...badKeys, "cache.example.com/applied-hash"].map((key) => ({ podAnnotations: { [key]: "x" } })),
    allowed: [
      { podAnnotations: { "Example.com/a": "two words\n", b: "" } },
      { podAnnotations: { "x.cache.example.com/a": "x", "cache.example.com": "x" } },
      { podAnnotations: {} },
    ],
  },
  {
    sentence: "spec.service.annotations must have valid annotation keys that do not begin with cache.example.com/",
    refused: [
      ...badKeys.map((key) => ({ service: { annotations: { [key]: "x" } } })),
      { service: { type: "NodePort", annotations: { "cache.example.com/applied-hash": "x" } } },
    ],
    allowed: [
      { service: { annotations: { "service.beta.kubernetes.io/aws-load-balancer-type": "nlb" } } },
      { service: {} },
    ],
  },
  {
    sentence: "spec.service must be headless when spec.workload is StatefulSet",
    refused: [
      { workload: "StatefulSet", service: { type: "LoadBalancer" } },
      { workload: "StatefulSet", service: { type: "NodePort", annotations: { a: "b" } } },
      { workload: "StatefulSet", service: { headless: false } },
    ],
    allowed: [
      { workload: "StatefulSet", service: { type: "ClusterIP" } },
      { workload: "StatefulSet", service: { annotations: { a: "b" } } },
      { workload: "Deployment", service: { type: "LoadBalancer" } },
      { service: { type: "NodePort" } },
      { service: { headless: false } },
      { workload: "StatefulSet", service: { headless: true } },
      { service: { type: "NodePort", headless: false } },
    ],
  },
  {
    sentence: "spec.service.headless must not be true when spec.service.type is NodePort or LoadBalancer",
    refused: [{ service: { type: "NodePort", headless: true } }, { service: { type: "LoadBalancer", headless: true } }],
    allowed: [{ service: { type: "ClusterIP", headless: true } }, { service: { headless: true } }],
  },
  {
    sentence: "spec.service.sourceRanges and spec.service.loadBalancerClass require the spec.service.type LoadBalancer",
    refused: [{ sourceRanges: ["10.0.0.0/8"] }, { loadBalancerClass: "internal" }].flatMap(
      (fields): MemcachedSpec[] => [{ service: fields }, { service: { type: "NodePort", ...fields } }],
    ),
    allowed: [{ sourceRanges: ["10.0.0.0/8"] }, { loadBalancerClass: "internal" }].map((fields) => ({
      service: { type: "LoadBalancer", ...fields },
    })),
  },
  {
    sentence: "spec.service.loadBalancerClass must be the name of a class",
    refused: ["two words", "a/b/c", "-a"].map((name) => ({
      service: { type: "LoadBalancer", loadBalancerClass: name },
    })),
    allowed: ["internal", "example.com/Internal"].map((name) => ({
      service: { type: "LoadBalancer", loadBalancerClass: name },
    })),
  },
  {
    sentence: "spec.service.externalTrafficPolicy requires the spec.service.type NodePort or LoadBalancer",
    refused: [{ service: { externalTrafficPolicy: "Local" } }],
    allowed: (["NodePort", "LoadBalancer"] as const).map((type) => ({
      service: { type, externalTrafficPolicy: "Local" },
    })),
  },
  {
    sentence: "spec.service.ipFamilies must have both IPv4 and IPv6",
    refused: [
      { service: { ipFamilies: ["IPv4", "IPv6"] } },
      { service: { ipFamilyPolicy: "SingleStack", ipFamilies: ["IPv6", "IPv4"] } },
      { service: { ipFamilyPolicy: "PreferDualStack", ipFamilies: ["IPv6"] } },
      { service: { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6", "IPv6"] } },
    ],
    allowed: [
      { service: { ipFamilies: [] } },
      { service: { ipFamilies: ["IPv6"] } },
      { service: { ipFamilyPolicy: "RequireDualStack", ipFamilies: ["IPv6", "IPv4"] } },
      { service: { ipFamilyPolicy: "PreferDualStack" } },
    ],
  },
];
