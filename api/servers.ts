import { type TSchema, Type } from "@sinclair/typebox";
import type { Rule } from "./rule";

/** A number of servers, or a percentage of `size`. */
export type Servers = number | string;

export const servers = (description: string, example: Servers): TSchema & { static: Servers } =>
  Type.Unsafe<Servers>({
    "x-kubernetes-int-or-string": true,
    anyOf: [{ type: "integer" }, { type: "string" }],
    maxLength: 4,
    description,
    examples: [example, "25%"],
  });

const number = "^([1-9]?[0-9]|100)%?$";

/** CEL: the field is left out, or matches. */
export const celIsLike = (regexp: string, field: string): string =>
  `(!has(${field}) || string(${field}).matches('${regexp}'))`;

/** What two optional fields of the object at the path must be to name a number of servers. */
export const serversRule = (path: string, ...fields: [one: string, other: string]): Rule => ({
  path,
  cel: fields.map((field) => celIsLike(number, `self.${field}`)).join(" && "),
  message: `${fields.map((field) => `${path}.${field}`).join(" and ")} must be 0 to 100 or 0% to 100%: write them like 1 or 25%`,
  predicate: (self: Record<string, Servers | undefined>) =>
    fields.every((field) => self[field] === undefined || new RegExp(number).test(String(self[field]))),
});
