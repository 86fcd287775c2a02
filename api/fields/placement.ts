import { Type } from "@sinclair/typebox";
import { celIsKey, isKey, labelKey, labelValue } from "../patterns";
import podTypes from "../podTypes.json";
import type { Rule } from "../rule";
import { labelsRule, objectName, objectNameRule } from "../texts";

/** A part of a pod, passed on as it is given. What it holds is described where pods are. */
type PodPart = Record<string, unknown>;

/** `type` is how programs that know Kubernetes' types call it. */
const podField = <T>(
  name: "affinity" | "tolerations" | "topologySpreadConstraints",
  type: string,
  description: string,
  example: unknown,
) =>
  Type.Optional(
    Type.Unsafe<T>({
      ...podTypes[name],
      description: `${description} See kubectl explain pod.spec.${name}.`,
      kubernetesType: type,
      examples: [example],
    }),
  );

/** Where the servers' pods run. */
export const properties = {
  nodeSelector: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      ...podTypes.nodeSelector,
      description: "Labels that a node must have to run a server.",
      examples: [{ "node.example.com/pool": "cache" }],
    }),
  ),
  tolerations: podField<PodPart[]>(
    "tolerations",
    "core.v1.Toleration",
    "Taints of nodes that the servers put up with.",
    [{ key: "dedicated", operator: "Equal", value: "cache", effect: "NoSchedule" }],
  ),
  affinity: podField<PodPart>(
    "affinity",
    "core.v1.Affinity",
    "Nodes and other pods that the servers want to be on, or near, or away from.",
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }],
        },
      },
    },
  ),
  topologySpreadConstraints: podField<PodPart[]>(
    "topologySpreadConstraints",
    "core.v1.TopologySpreadConstraint",
    "How the servers are spread over zones, nodes and the like. One without a labelSelector counts this resource's servers. Left out, they are spread over nodes, softly; an empty list spreads nothing.",
    [{ maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" }],
  ),
  priorityClassName: Type.Optional(
    objectName(
      "PriorityClass of the servers' pods: who is placed first, and who has to go when a node is full.",
      "cache-critical",
    ),
  ),
  schedulerName: Type.Optional(
    objectName(
      "Scheduler that gives the servers their nodes; the cluster's own when left out. With a name that no scheduler of the cluster has, servers stay Pending.",
      "bin-packing",
    ),
  ),
  runtimeClassName: Type.Optional(
    objectName("RuntimeClass of the servers' pods, such as that of a sandbox; the nodes' own when left out.", "gvisor"),
  ),
};

interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

interface Constraint {
  whenUnsatisfiable: string;
  minDomains?: number;
  matchLabelKeys?: string[];
}

const inEach = <Item>(list: string, cel: string, message: string, predicate: (item: Item) => boolean): Rule => ({
  path: `spec.${list}[]`,
  cel,
  message: `spec.${list}[]${message}`,
  predicate,
});

const has = (field: keyof Toleration): string => `has(self.${field}) && self.${field} != ''`;
const exists = "has(self.operator) && self.operator == 'Exists'";

/**
 * What the API server would refuse in the pods. Source followed: ValidateTolerations and validateTopologySpreadConstraints of
 * k8s.io/kubernetes.
 */
export const rules: Rule[] = [
  labelsRule("spec.nodeSelector"),
  inEach<Toleration>(
    "tolerations",
    `!(${has("key")}) || ${celIsKey(labelKey, "self.key")}`,
    ".key must be the key of a taint: write it like dedicated or example.com/dedicated",
    ({ key }) => !key || isKey(labelKey, key),
  ),
  inEach<Toleration>(
    "tolerations",
    `(${has("key")}) || (${exists})`,
    ".operator must be Exists where key is left out, which means all taints: give a key, or set operator to Exists",
    ({ key, operator }) => Boolean(key) || operator === "Exists",
  ),
  inEach<Toleration>(
    "tolerations",
    `!(${has("value")}) || !(${exists})`,
    ".value must be left out where operator is Exists, which means all values: remove value, or set operator to Equal",
    ({ value, operator }) => !value || operator !== "Exists",
  ),
  inEach<Toleration>(
    "tolerations",
    `!(${has("value")}) || (${exists}) || self.value.matches('${labelValue}')`,
    ".value must be the value of a taint: at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    ({ value, operator }) => !value || operator === "Exists" || new RegExp(labelValue).test(value),
  ),
  inEach<Toleration>(
    "tolerations",
    "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
    ".tolerationSeconds must go with effect NoExecute, for other taints end no pod: set effect to NoExecute, or remove tolerationSeconds",
    ({ tolerationSeconds, effect }) => typeof tolerationSeconds !== "number" || effect === "NoExecute",
  ),
  inEach<Constraint>(
    "topologySpreadConstraints",
    "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
    ".minDomains must go with whenUnsatisfiable DoNotSchedule: set whenUnsatisfiable to DoNotSchedule, or remove minDomains",
    ({ minDomains, whenUnsatisfiable }) => typeof minDomains !== "number" || whenUnsatisfiable === "DoNotSchedule",
  ),
  inEach<Constraint>(
    "topologySpreadConstraints",
    `!has(self.matchLabelKeys) || self.matchLabelKeys.all(k, ${celIsKey(labelKey, "k")})`,
    ".matchLabelKeys must hold keys of labels: write them like team or example.com/team",
    ({ matchLabelKeys }) => (matchLabelKeys ?? []).every((key) => isKey(labelKey, key)),
  ),
  objectNameRule("spec.priorityClassName", "PriorityClass"),
  objectNameRule("spec.schedulerName", "scheduler"),
  objectNameRule("spec.runtimeClassName", "RuntimeClass"),
];
