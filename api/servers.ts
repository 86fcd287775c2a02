import { type TSchema, Type } from "@sinclair/typebox";
import type { Rule } from "./rule";

/** A number of servers, or a share of `size`. */
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

/** What an optional field of the object at the path must be to name a number of servers. */
export const serversRule = (path: string, field: string): Rule => ({
  path,
  fieldPath: `.${field}`,
  cel: `!has(self.${field}) || string(self.${field}).matches('${number}')`,
  message: `${path}.${field} must be 0 to 100 or 0% to 100%: write it like 1 or 25%`,
  predicate: (self: Record<string, Servers | undefined>) =>
    self[field] === undefined || new RegExp(number).test(String(self[field])),
});
