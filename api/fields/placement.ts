import { Type } from "@sinclair/typebox";
import { celIsKey, isKey, labelKey, labelValue } from "../patterns";
import podTypes from "../podTypes.json";
import type { Rule } from "../rule";
import { labelsRule, objectName, objectNameRule } from "../texts";

/** A part of the pod spec, passed on unchanged. */
type PodPart = Record<string, unknown>;

/** `type` is its name among Kubernetes' own types. */
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
      description: "Labels that a node must have to run servers.",
      examples: [{ "node.example.com/pool": "cache" }],
    }),
  ),
  tolerations: podField<PodPart[]>("tolerations", "core.v1.Toleration", "Node taints that the servers tolerate.", [
    { key: "dedicated", operator: "Equal", value: "cache", effect: "NoSchedule" },
  ]),
  affinity: podField<PodPart>(
    "affinity",
    "core.v1.Affinity",
    "Nodes and pods that the servers must or should run on, near or away from.",
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
    "How the servers are spread over zones, nodes or other topologies. A constraint without a labelSelector applies to the servers of this resource. Default: spread over nodes, if possible; an empty list turns this off.",
    [{ maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" }],
  ),
  priorityClassName: Type.Optional(
    objectName("PriorityClass of the servers' pods, for scheduling and preemption.", "cache-critical"),
  ),
  schedulerName: Type.Optional(
    objectName(
      "Scheduler for the servers' pods. Default: the cluster's own. If there is no scheduler of this name, the pods stay Pending.",
      "bin-packing",
    ),
  ),
  runtimeClassName: Type.Optional(
    objectName("RuntimeClass of the servers' pods, for example of a sandbox. Default: that of the nodes.", "gvisor"),
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
 * What the API server refuses in a pod. Source followed: ValidateTolerations and validateTopologySpreadConstraints of
 * k8s.io/kubernetes.
 */
export const rules: Rule[] = [
  labelsRule("spec.nodeSelector"),
  inEach<Toleration>(
    "tolerations",
    `(!(${has("key")}) || ${celIsKey(labelKey, "self.key")}) && (!(${has("value")}) || (${exists}) || self.value.matches('${labelValue}'))`,
    " must have the key and value of a taint: write a key like dedicated or example.com/dedicated, and a value of at most 63 letters, digits, '-', '_' and '.' that begins and ends with a letter or digit",
    ({ key, operator, value }) =>
      (!key || isKey(labelKey, key)) && (!value || operator === "Exists" || new RegExp(labelValue).test(value)),
  ),
  inEach<Toleration>(
    "tolerations",
    `(${has("key")}) || (${exists})`,
    ".operator must be Exists if key is left out, which means all taints: set key, or set operator to Exists",
    ({ key, operator }) => Boolean(key) || operator === "Exists",
  ),
  inEach<Toleration>(
    "tolerations",
    `!(${has("value")}) || !(${exists})`,
    ".value must be left out if operator is Exists, which means all values: remove value, or set operator to Equal",
    ({ value, operator }) => !value || operator !== "Exists",
  ),
  inEach<Toleration>(
    "tolerations",
    "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
    ".tolerationSeconds requires the effect NoExecute, because other taints stop no running pod: set effect to NoExecute, or remove tolerationSeconds",
    ({ tolerationSeconds, effect }) => typeof tolerationSeconds !== "number" || effect === "NoExecute",
  ),
  inEach<Constraint>(
    "topologySpreadConstraints",
    "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
    ".minDomains requires whenUnsatisfiable DoNotSchedule: set whenUnsatisfiable to DoNotSchedule, or remove minDomains",
    ({ minDomains, whenUnsatisfiable }) => typeof minDomains !== "number" || whenUnsatisfiable === "DoNotSchedule",
  ),
  inEach<Constraint>(
    "topologySpreadConstraints",
    `!has(self.matchLabelKeys) || self.matchLabelKeys.all(k, ${celIsKey(labelKey, "k")})`,
    ".matchLabelKeys must have valid label keys: write them like team or example.com/team",
    ({ matchLabelKeys }) => (matchLabelKeys ?? []).every((key) => isKey(labelKey, key)),
  ),
  objectNameRule("spec.priorityClassName", "PriorityClass"),
  objectNameRule("spec.schedulerName", "scheduler"),
  objectNameRule("spec.runtimeClassName", "RuntimeClass"),
];
