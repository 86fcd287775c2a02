import type { TSchema } from "@sinclair/typebox";
import type { Unwrap } from "@pulumi/pulumi";
import { isKnown } from "../lift";
import { validatePlain } from "./plain";
import { show } from "./values";

/** The schema of an argument: TypeBox, and additional keywords for its messages. */
export interface ArgSchema extends TSchema {
  type?: string | string[];
  /** What to give instead of a wrong value; default: derived from the type. */
  give?: string;
  /** Whether the value must be known when the program runs. */
  now?: boolean;
  /** A check that JSON Schema cannot express. */
  is?: (value: never) => boolean;
  properties?: { [key: string]: ArgSchema };
  patternProperties?: { [key: string]: ArgSchema };
  items?: ArgSchema;
}

/** The schema of an object with these arguments. The compiler checks each schema against the argument's type. */
export function argsSchema<Args>(
  properties: { [name in keyof Required<Args>]: TSchema & { static: Unwrap<Required<Args>[name]> } },
  keywords: { required?: (keyof Args & string)[]; now?: boolean } = {},
) {
  return { type: "object", properties, ...keywords } as unknown as ArgSchema & {
    static: Unwrap<Args>;
    properties: { [name in keyof Args]: ArgSchema };
  };
}

const types: { [type: string]: (value: unknown) => boolean } = {
  array: Array.isArray,
  boolean: (value) => typeof value === "boolean",
  integer: Number.isInteger,
  number: Number.isFinite,
  object: (value) => typeof value === "object" && value !== null && !Array.isArray(value),
  string: (value) => typeof value === "string",
};

/** The errors of an argument. Unknown values are left to the API server; `required` of the object checks missing ones. */
export function problemsOf(where: string, schema: ArgSchema, value: unknown): string[] {
  if (value === undefined) return [];
  const wrong = (more = "") => [`${where} is ${show(value)}: give ${remedyOf(schema)}${more}`];
  if (!isKnown(value)) return schema.now ? wrong(", known when the program runs") : [];
  if (!fits(schema, value)) return wrong();
  if (schema.items) return (value as unknown[]).flatMap((item, i, list) => inList(where, schema, list, item, i));
  if (schema.patternProperties) return inMap(where, schema.patternProperties, value as object);
  if (schema.properties) return inObject(where, schema, value as Record<string, unknown>);
  return validatePlain(where, value);
}

function fits({ type, enum: allowed, pattern, minimum, maximum, minItems, is }: ArgSchema, value: unknown): boolean {
  return (
    (type === undefined || [type].flat().some((each) => types[each]!(value))) &&
    (allowed === undefined || (allowed as unknown[]).includes(value)) &&
    (pattern === undefined || new RegExp(pattern as string).test(String(value))) &&
    (minimum === undefined || ((value as number) >= minimum && (value as number) <= maximum)) &&
    (minItems === undefined || (value as unknown[]).length >= minItems) &&
    (is === undefined || is(value as never))
  );
}

function remedyOf({ give, type, enum: allowed, minimum, maximum }: ArgSchema): string {
  if (give) return give;
  if (allowed) return `one of ${(allowed as string[]).map((each) => `"${each}"`).join(", ")}`;
  if (type === "boolean") return "true or false";
  if (type === "integer") return `a whole number from ${minimum} to ${maximum}`;
  return type === "string" ? "a string, in quotes" : type === "array" ? "a list" : "an object";
}

function inList(where: string, { items, uniqueItems }: ArgSchema, list: unknown[], item: unknown, i: number): string[] {
  if (uniqueItems && isKnown(item) && list.indexOf(item) < i) return [`${where} has ${show(item)} twice: give it once`];
  // Unlike an argument, an item cannot be left out.
  return problemsOf(`${where}[${i}]`, items!, item ?? null);
}

function inObject(
  where: string,
  { properties = {}, required = [] }: ArgSchema,
  object: Record<string, unknown>,
): string[] {
  const place = (key: string) => (where === "args" ? key : `${where}.${key}`);
  const missing = (required as string[]).filter((key) => object[key] === undefined);
  return [
    ...missing.map((key) => `${place(key)} is missing: give ${remedyOf(properties[key]!)}`),
    ...Object.entries(object).flatMap(([key, value]) =>
      Object.hasOwn(properties, key)
        ? problemsOf(place(key), properties[key]!, value)
        : [`${place(key)}: unknown argument; use one of ${Object.keys(properties).join(", ")}`],
    ),
  ];
}

function inMap(where: string, schemas: { [pattern: string]: ArgSchema }, map: object): string[] {
  return Object.entries(map).flatMap(([key, value]) => {
    const found = Object.entries(schemas).find(([pattern]) => new RegExp(pattern).test(key));
    if (found) return problemsOf(`${where}["${key}"]`, found[1], value ?? null);
    return [`${where}["${key}"]: give a key such as "team" or "example.com/team", its name of at most 63 characters`];
  });
}
