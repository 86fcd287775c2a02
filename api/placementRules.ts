/** What the API server would refuse in the servers' pods: said when the resource is applied, in terms of its fields. */
import type { DefaultedSpec, SpecRule } from "./defaults";
import { celIsKey, isKey, labelKey, labelValue } from "./labelForm";

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

const inTolerations = (cel: string, message: string, isGood: (toleration: Toleration) => boolean): SpecRule => ({
  path: "spec.tolerations[]",
  cel,
  message: `spec.tolerations[]${message}`,
  predicate: ({ tolerations }: DefaultedSpec) => (tolerations ?? []).every((each) => isGood(each as Toleration)),
});

const inConstraints = (cel: string, message: string, isGood: (constraint: Constraint) => boolean): SpecRule => ({
  path: "spec.topologySpreadConstraints[]",
  cel,
  message: `spec.topologySpreadConstraints[]${message}`,
  predicate: ({ topologySpreadConstraints }: DefaultedSpec) =>
    (topologySpreadConstraints ?? []).every((each) => isGood(each as unknown as Constraint)),
});

const has = (field: keyof Toleration): string => `has(self.${field}) && self.${field} != ''`;
const exists = "has(self.operator) && self.operator == 'Exists'";

/** Source followed: ValidateTolerations and validateTopologySpreadConstraints of k8s.io/kubernetes. */
export const placementRules: SpecRule[] = [
  inTolerations(
    `!(${has("key")}) || ${celIsKey(labelKey, "self.key")}`,
    ".key must be the key of a taint: write it like dedicated or example.com/dedicated",
    ({ key }) => !key || isKey(labelKey, key),
  ),
  inTolerations(
    `(${has("key")}) || (${exists})`,
    ".operator must be Exists where key is left out, which means all taints: give a key, or set operator to Exists",
    ({ key, operator }) => Boolean(key) || operator === "Exists",
  ),
  inTolerations(
    `!(${has("value")}) || !(${exists})`,
    ".value must be left out where operator is Exists, which means all values: remove value, or set operator to Equal",
    ({ value, operator }) => !value || operator !== "Exists",
  ),
  inTolerations(
    `!(${has("value")}) || (${exists}) || self.value.matches('${labelValue}')`,
    ".value must be the value of a taint: at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends",
    ({ value, operator }) => !value || operator === "Exists" || new RegExp(labelValue).test(value),
  ),
  inTolerations(
    "!has(self.tolerationSeconds) || (has(self.effect) && self.effect == 'NoExecute')",
    ".tolerationSeconds must go with effect NoExecute, for other taints end no pod: set effect to NoExecute, or remove tolerationSeconds",
    ({ tolerationSeconds, effect }) => typeof tolerationSeconds !== "number" || effect === "NoExecute",
  ),
  inConstraints(
    "!has(self.minDomains) || self.whenUnsatisfiable == 'DoNotSchedule'",
    ".minDomains must go with whenUnsatisfiable DoNotSchedule: set whenUnsatisfiable to DoNotSchedule, or remove minDomains",
    ({ minDomains, whenUnsatisfiable }) => typeof minDomains !== "number" || whenUnsatisfiable === "DoNotSchedule",
  ),
  inConstraints(
    `!has(self.matchLabelKeys) || self.matchLabelKeys.all(k, ${celIsKey(labelKey, "k")})`,
    ".matchLabelKeys must hold keys of labels: write them like team or example.com/team",
    ({ matchLabelKeys }) => (matchLabelKeys ?? []).every((key) => isKey(labelKey, key)),
  ),
];
