import { memoryHeadroom } from "./bounds";
import { quantityNano } from "./quantity";
import type { Rule } from "./rule";

/**
 * What is taken for a quantity: the usual forms, all of which the API server reads in a pod, too. Its own isQuantity
 * takes "m" and "-" as well.
 */
const quantity = "^[0-9]+([.][0-9]+)?([numkMGTPE]|[KMGTPE]i|[eE][0-9]{1,2})?$";
const isQuantity = (text: string): string => `${text}.matches('${quantity}')`;

/** The amount in billionths; undefined for what is no quantity, and then another rule refuses it. */
const amount = (value: unknown): bigint | undefined =>
  new RegExp(quantity).test(String(value)) ? quantityNano(String(value)) : undefined;

const names = ["cpu", "memory", "ephemeral-storage"];

function mapRules(map: "requests" | "limits"): Rule[] {
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
      cel: `self.all(k, ${isQuantity("string(self[k])")})`,
      message: `${path} must hold quantities that are not negative: write a number with a unit, such as 500m or 128Mi`,
      predicate: ({ resources }) => Object.values(resources?.[map] ?? {}).every((value) => amount(value) !== undefined),
    },
  ];
}

export const resourceRules: Rule[] = [
  ...mapRules("requests"),
  ...mapRules("limits"),
  {
    path: "spec.resources",
    cel: [
      "!has(self.requests) || !has(self.limits) || self.requests.all(k, !(k in self.limits)",
      `!${isQuantity("string(self.requests[k])")} || !${isQuantity("string(self.limits[k])")}`,
      "quantity(string(self.requests[k])).compareTo(quantity(string(self.limits[k]))) <= 0)",
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
      `!${isQuantity("string(self.resources.limits['memory'])")} || !${isQuantity("self.memory")}`,
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
