import { type TSchema, Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import podTypes from "../podTypes.json";
import { quantityNano } from "../quantity";
import { type Rule, celString } from "../rule";

/**
 * What a server needs beside its items at the least: threads, connections, the hash table, and a page of 1Mi for each
 * class of item sizes that it meets only when memory is full.
 */
const memoryHeadroom = "32Mi";

type Quantities = Record<string, number | string>;

/** A map of quantities, which people write as numbers or as strings, as in a pod (`cpu: 2`, `cpu: 500m`). */
const quantities = (
  list: "requests" | "limits",
  description: string,
  example: Record<string, string>,
): TSchema & { static: Quantities } =>
  Type.Unsafe<Quantities>({
    ...podTypes.resources.properties[list],
    additionalProperties: {
      ...podTypes.resources.properties[list].additionalProperties,
      examples: ["500m", "128Mi"],
    },
    // As many as there are names; each costs the API server, to which a quantity may be of any length.
    maxProperties: 3,
    description,
    examples: [example],
  });

export const properties = {
  resources: Type.Optional(
    Type.Object(
      {
        requests: Type.Optional(
          quantities(
            "requests",
            "What the scheduler reserves for one server: cpu, memory, ephemeral-storage. Left out, it is the limit of the same name, if there is one.",
            {
              cpu: "100m",
              memory: "96Mi",
            },
          ),
        ),
        limits: Type.Optional(
          quantities(
            "limits",
            `What one server may use at most. A memory limit leaves at least ${memoryHeadroom} above memory, for connections and the hash table; left out, it is the derived one, or the memory request where that is larger. Every server has one, for without it a full node ends the servers first, and quotas refuse them: where none is wanted, give a limit far above the request.`,
            { memory: "128Mi" },
          ),
        ),
      },
      {
        description:
          "CPU, memory and ephemeral-storage of each server's container, each name by itself: what is said of one leaves the others as they are. Without memory, request and limit are derived from memory, threads and connections; without cpu, 100m is requested, and there is no limit; of a name that has a limit alone, as much is requested.",
      },
    ),
  ),
};

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

function mapRules(map: "requests" | "limits"): Rule[] {
  const path = `spec.resources.${map}`;
  return [
    {
      path,
      cel: `self.all(k, k in [${names.map((name) => `'${name}'`).join(", ")}])`,
      message: `${path} takes cpu, memory and ephemeral-storage: remove every other name`,
      predicate: (amounts: Quantities) => Object.keys(amounts).every((key) => names.includes(key)),
    },
    {
      path,
      cel: `self.all(k, string(self[k]).matches(${celString(usualForm)}) && isQuantity(string(self[k])))`,
      message: `${path} must hold quantities that are not negative: write a number with a unit, such as 500m or 128Mi`,
      predicate: (amounts: Quantities) => Object.values(amounts).every(isUsual),
    },
  ];
}

export const rules: Rule[] = [
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
    predicate: ({ requests = {}, limits = {} }: Partial<Record<"requests" | "limits", Quantities>>) =>
      Object.entries(requests).every(([key, value]) => {
        const request = amount(value);
        const limit = amount(limits[key]);
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
    predicate: ({ resources, memory }: DefaultedSpec) => {
      const limit = amount(resources?.limits?.memory);
      const items = amount(memory);
      return limit === undefined || items === undefined || limit >= items + quantityNano(memoryHeadroom)!;
    },
  },
];
