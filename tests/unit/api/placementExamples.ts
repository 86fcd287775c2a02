import type { MemcachedSpec } from "../../../api";
import type { RuleExample } from "./ruleExample";

const tolerations = (...each: object[]): MemcachedSpec[] =>
  each.map((toleration) => ({ tolerations: [{ operator: "Exists" }, toleration as Record<string, unknown>] }));

const constraints = (...each: object[]): MemcachedSpec[] =>
  each.map((constraint) => ({
    topologySpreadConstraints: [
      { maxSkew: 1, topologyKey: "zone", whenUnsatisfiable: "DoNotSchedule", ...constraint },
      { maxSkew: 1, topologyKey: "rack", whenUnsatisfiable: "ScheduleAnyway" },
    ],
  }));

export const placementExamples: RuleExample[] = [
  {
    sentence: "spec.tolerations[] must have the key and value of a taint",
    refused: tolerations(
      { key: "two words" },
      { key: "a/b/c" },
      { key: "Example.com/a" },
      { key: "-a" },
      { key: "a\n" },
      { key: "a", value: "two words" },
      { key: "a", operator: "Equal", value: "b".repeat(64) },
    ),
    allowed: tolerations(
      { key: "dedicated" },
      { key: "example.com/Dedicated" },
      { key: "", operator: "Exists" },
      { key: "a", value: "B_c.d-e" },
      { key: "a", operator: "Equal", value: "" },
    ),
  },
  {
    sentence: "spec.tolerations[].operator must be Exists if key is left out",
    refused: tolerations({}, { value: "a" }, { operator: "Equal", value: "a" }, { key: "" }),
    allowed: tolerations({ operator: "Exists" }, { operator: "Exists", effect: "NoSchedule" }, { key: "a" }),
  },
  {
    sentence: "spec.tolerations[].value must be left out if operator is Exists",
    refused: tolerations({ key: "a", operator: "Exists", value: "b" }, { operator: "Exists", value: "two words" }),
    allowed: tolerations({ key: "a", operator: "Exists", value: "" }, { key: "a", value: "b" }),
  },
  {
    sentence: "spec.tolerations[].tolerationSeconds requires the effect NoExecute",
    refused: tolerations({ key: "a", tolerationSeconds: 0 }, { key: "a", effect: "NoSchedule", tolerationSeconds: 60 }),
    allowed: tolerations({ key: "a", effect: "NoExecute", tolerationSeconds: -1 }, { key: "a", effect: "NoExecute" }),
  },
  {
    sentence: "spec.topologySpreadConstraints[].minDomains requires whenUnsatisfiable DoNotSchedule",
    refused: constraints({ whenUnsatisfiable: "ScheduleAnyway", minDomains: 1 }),
    allowed: constraints({ minDomains: 2 }, { whenUnsatisfiable: "ScheduleAnyway" }),
  },
  {
    sentence: "spec.topologySpreadConstraints[].matchLabelKeys must have valid label keys",
    refused: constraints({ matchLabelKeys: ["two words"] }, { matchLabelKeys: ["pod-template-hash", ""] }),
    allowed: constraints({ matchLabelKeys: ["pod-template-hash", "example.com/team"] }, { matchLabelKeys: [] }),
  },
];
