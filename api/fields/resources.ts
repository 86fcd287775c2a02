import { type TSchema, Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import podTypes from "../podTypes.json";
import { quantityNano } from "../quantity";
import { type Rule, celList, celString } from "../rule";

/**
 * The least memory that a server needs in addition to its items: for threads, connections, the hash table, and one page of
 * 1Mi for each slab class that it first uses when memory is full.
 */
const memoryHeadroom = "32Mi";

type Quantities = Record<string, number | string>;

/** A map of quantities, which are numbers or strings, as in a pod (`cpu: 2`, `cpu: 500m`). */
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
    // There are only three names, and each item adds to the cost of the CEL rules.
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
            "What the scheduler reserves for one server: cpu, memory, ephemeral-storage. Default: the limit of the same name, if there is one.",
            { cpu: "100m", memory: "96Mi" },
          ),
        ),
        limits: Type.Optional(
          quantities(
            "limits",
            `The most that one server may use. A memory limit must be at least ${memoryHeadroom} above spec.memory, for connections and the hash table. Default: the derived memory limit, or the memory request if that is larger. A server always has a memory limit, because quotas may require one, and because a node without free memory stops pods without one first. If you want none, set a limit far above the request.`,
            { memory: "128Mi" },
          ),
        ),
      },
      {
        description:
          "CPU, memory and ephemeral-storage of each server's container. Each name has its own defaults: without memory, its request and limit are derived from memory, threads and connections; without cpu, the request is 100m, without a limit. With only a limit, the request is the same as the limit.",
      },
    ),
  ),
};

/**
 * The usual forms of a quantity, all of which the API server accepts in a pod; isQuantity alone would accept "m" and "-" as
 * well. The expressions are short to limit the CEL cost, which Kubernetes 1.30 estimates for very long values.
 */
const usualForm = "^[0-9]+([.][0-9]+)?\\w{0,3}$";
const number = "^[0-9]";

/** CEL: the text is a quantity, so that comparing it does not fail. */
const isQuantity = (text: string): string => `${text}.matches('${number}') && isQuantity(${text})`;

/** The amount in billionths; undefined if the value is not a quantity, which another rule refuses. */
const amount = (value: unknown): bigint | undefined =>
  new RegExp(number).test(String(value)) ? quantityNano(String(value)) : undefined;
const isUsual = (value: unknown): boolean => new RegExp(usualForm).test(String(value)) && amount(value) !== undefined;

const names = ["cpu", "memory", "ephemeral-storage"];

const mapRule = (path: string): Rule => ({
  path,
  cel: `self.all(k, k in ${celList(names)} && string(self[k]).matches(${celString(usualForm)}) && isQuantity(string(self[k])))`,
  message: `${path} must have only cpu, memory and ephemeral-storage, and quantities that are not negative: remove other names, and write quantities like 500m or 128Mi`,
  predicate: (amounts: Quantities) =>
    Object.entries(amounts).every(([name, value]) => names.includes(name) && isUsual(value)),
});

export const rules: Rule[] = [
  mapRule("spec.resources.requests"),
  mapRule("spec.resources.limits"),
  {
    path: "spec.resources",
    cel: [
      "!has(self.requests) || !has(self.limits) || self.requests.all(k, !(k in self.limits)",
      // Lists of one item, to give a name to a value that is used several times.
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
    message: `spec.resources.limits.memory must be at least ${memoryHeadroom} more than spec.memory, or a full cache runs out of memory and is killed: raise the limit or lower spec.memory`,
    predicate: ({ resources, memory }: DefaultedSpec) => {
      const limit = amount(resources?.limits?.memory);
      const items = amount(memory);
      return limit === undefined || items === undefined || limit >= items + quantityNano(memoryHeadroom)!;
    },
  },
];
