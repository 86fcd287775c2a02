import { quantityNano } from "./quantity";
import type { Rule } from "./rule";

/** What a server needs beside its items at the least: connections, threads and the hash table of a small cache. */
export const memoryHeadroom = "16Mi";

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
      cel: "self.all(k, isQuantity(string(self[k])) && !quantity(string(self[k])).isLessThan(quantity('0')))",
      message: `${path} must hold quantities that are not negative: write a number with a unit, such as 500m or 128Mi`,
      predicate: ({ resources }) =>
        Object.values(resources?.[map] ?? {}).every((value) => (quantityNano(String(value)) ?? -1n) >= 0n),
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
      "!isQuantity(string(self.requests[k])) || !isQuantity(string(self.limits[k]))",
      "quantity(string(self.requests[k])).compareTo(quantity(string(self.limits[k]))) <= 0)",
    ].join(" || "),
    message: "spec.resources.requests must not exceed spec.resources.limits: lower the request or raise the limit",
    predicate: ({ resources }) =>
      Object.entries(resources?.requests ?? {}).every(([key, value]) => {
        const request = quantityNano(String(value));
        const limit = quantityNano(String(resources?.limits?.[key]));
        return request === undefined || limit === undefined || request <= limit;
      }),
  },
  {
    path: "spec",
    fieldPath: ".resources.limits",
    cel: [
      "!has(self.resources) || !has(self.resources.limits) || !('memory' in self.resources.limits)",
      "!isQuantity(string(self.resources.limits['memory'])) || !isQuantity(self.memory)",
      `quantity(string(self.resources.limits['memory'])).compareTo(quantity(self.memory).add(quantity('${memoryHeadroom}'))) >= 0`,
    ].join(" || "),
    message: `spec.resources.limits.memory must be at least ${memoryHeadroom} more than spec.memory, or a full cache is killed for want of memory: raise the limit or lower spec.memory`,
    predicate: ({ resources, memory }) => {
      const limit = quantityNano(String(resources?.limits?.memory));
      const items = quantityNano(memory);
      return limit === undefined || items === undefined || limit >= items + quantityNano(memoryHeadroom)!;
    },
  },
];
