import type { SpecRule } from "./defaults";
import { memoryHeadroom } from "./bounds";
import { quantityNano } from "./quantity";
import { celString } from "./rule";

/**
 * What is taken for a quantity: the usual forms, all of which the API server reads in a pod, too. Its own isQuantity
 * takes "m" and "-" as well. Expressions are short, for the API server of Kubernetes 1.30 takes the values for long.
 */
const usualForm = "^[0-9]+([.][0-9]+)?\\w{0,3}$";
const number = "^[0-9]";

/** Whether the text is a quantity at all, so that comparing it does not fail. */
const isQuantity = (text: string): string => `${text}.matches('${number}') && isQuantity(${text})`;

/** The amount in billionths; undefined for what is no quantity, and then another rule refuses it. */
const amount = (value: unknown): bigint | undefined =>
  new RegExp(number).test(String(value)) ? quantityNano(String(value)) : undefined;
const isUsual = (value: unknown): boolean => new RegExp(usualForm).test(String(value)) && amount(value) !== undefined;

const names = ["cpu", "memory", "ephemeral-storage"];

function mapRules(map: "requests" | "limits"): SpecRule[] {
  const path = `spec.resources.${map}`;
  return [
    {
      path,
      cel: `self.all(k, k in [${names.map((name) => `'${name}'`).join(", ")}])`,
      message: `${path} takes cpu, memory and ephemeral-storage: remove every other name`,
      predicate: ({ resources }) => Object.keys(resources?.[map] ?? {}).every((key) => names.includes(key)),
    },
    {
      path,
      cel: `self.all(k, string(self[k]).matches(${celString(usualForm)}) && isQuantity(string(self[k])))`,
      message: `${path} must hold quantities that are not negative: write a number with a unit, such as 500m or 128Mi`,
      predicate: ({ resources }) => Object.values(resources?.[map] ?? {}).every(isUsual),
    },
  ];
}

export const resourceRules: SpecRule[] = [
  ...mapRules("requests"),
  ...mapRules("limits"),
  {
    path: "spec.resources",
    cel: [
      "!has(self.requests) || !has(self.limits) || self.requests.all(k, !(k in self.limits)",
      // Lists of one, to name what is used several times.
      `[string(self.requests[k])].all(r, [string(self.limits[k])].all(l, !(${isQuantity("r")}) || !(${isQuantity("l")})`,
      "quantity(r).compareTo(quantity(l)) <= 0)))",
    ].join(" || "),
    message: "spec.resources.requests must not exceed spec.resources.limits: lower the request or raise the limit",
    predicate: ({ resources }) =>
      Object.entries(resources?.requests ?? {}).every(([key, value]) => {
        const request = amount(value);
        const limit = amount(resources?.limits?.[key]);
        return request === undefined || limit === undefined || request <= limit;
      }),
  },
  {
    path: "spec",
    fieldPath: ".resources.limits",
    cel: [
      "!has(self.resources) || !has(self.resources.limits) || !('memory' in self.resources.limits)",
      `!(${isQuantity("string(self.resources.limits['memory'])")}) || !(${isQuantity("self.memory")})`,
      `quantity(string(self.resources.limits['memory'])).compareTo(quantity(self.memory).add(quantity('${memoryHeadroom}'))) >= 0`,
    ].join(" || "),
    message: `spec.resources.limits.memory must be at least ${memoryHeadroom} more than spec.memory, or a full cache is killed for want of memory: raise the limit or lower spec.memory`,
    predicate: ({ resources, memory }) => {
      const limit = amount(resources?.limits?.memory);
      const items = amount(memory);
      return limit === undefined || items === undefined || limit >= items + quantityNano(memoryHeadroom)!;
    },
  },
];
