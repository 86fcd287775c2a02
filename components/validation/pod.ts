import { parseQuantity } from "../../api";
import { validateLabels } from "./metadata";
import { validatePlain } from "./plain";
import { isOpen, show, validateInteger, validateKeys, validateList, validateObject, validateOneOf } from "./values";

const affinityKinds = ["nodeAffinity", "podAffinity", "podAntiAffinity"];
const tolerationKeys = ["key", "operator", "value", "effect", "tolerationSeconds"];

/** Where the operator's pods may run, and what they may use. What is deeper than this the API server checks. */
export function validatePodArgs(args: {
  nodeSelector?: unknown;
  tolerations?: unknown;
  affinity?: unknown;
  resources?: unknown;
}): string[] {
  const { nodeSelector, tolerations, affinity, resources } = args;
  return [
    ...validateLabels("nodeSelector", nodeSelector),
    ...validateList("tolerations", tolerations, "tolerations", validateToleration),
    ...validateAffinity(affinity),
    ...validateResources(resources),
  ];
}

function validateToleration(where: string, value: unknown): string[] {
  const wrong = validateKeys(where, value, tolerationKeys);
  if (wrong.length > 0) return wrong;
  const { key, operator, value: wanted, effect, tolerationSeconds } = value as Record<string, unknown>;
  return [
    ...validateText(`${where}.key`, key),
    ...validateText(`${where}.value`, wanted),
    ...validateOneOf(`${where}.operator`, operator, ["Exists", "Equal"]),
    ...validateOneOf(`${where}.effect`, effect, ["NoSchedule", "PreferNoSchedule", "NoExecute"]),
    ...validateInteger(`${where}.tolerationSeconds`, tolerationSeconds, 0, Number.MAX_SAFE_INTEGER),
  ];
}

function validateText(where: string, value: unknown): string[] {
  return isOpen(value) || typeof value === "string" ? [] : [`${where} is ${show(value)}: give a string, in quotes`];
}

function validateAffinity(value: unknown): string[] {
  if (isOpen(value)) return [];
  const wrong = validateKeys("affinity", value, affinityKinds);
  if (wrong.length > 0) return wrong;
  return Object.entries(value as object).flatMap(([kind, terms]) => {
    const where = `affinity.${kind}`;
    const odd = validatePlain(where, terms);
    return odd.length > 0 || terms === undefined ? odd : validateObject(where, terms);
  });
}

function validateResources(value: unknown): string[] {
  if (isOpen(value)) return [];
  const wrong = validateKeys("resources", value, ["requests", "limits", "claims"]);
  if (wrong.length > 0) return wrong;
  const resources = value as Record<string, unknown>;
  const claims = resources.claims === undefined ? [] : validatePlain("resources.claims", resources.claims);
  const amounts = ["requests", "limits"].flatMap((part) => {
    const amounts = resources[part];
    if (amounts === undefined) return [];
    if (amounts === null || typeof amounts !== "object" || Array.isArray(amounts))
      return [`resources.${part} is ${show(amounts)}: give a map of quantities`];
    return Object.entries(amounts).flatMap(([name, amount]) =>
      isQuantity(amount)
        ? []
        : [`resources.${part}.${name} is ${show(amount)}: give a quantity such as "100m" or "64Mi"`],
    );
  });
  return [...claims, ...amounts];
}

function isQuantity(value: unknown): boolean {
  if (typeof value !== "number" && typeof value !== "string") return false;
  try {
    return parseQuantity(value) >= 0;
  } catch {
    return false;
  }
}
