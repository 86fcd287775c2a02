import { isIP } from "node:net";
import type { CrdSchema } from "./crdSchema";

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

/** The name of each type in messages, and how to recognize it. */
const types: Record<string, [name: string, is: (value: unknown) => boolean]> = {
  boolean: ["true or false", (value) => typeof value === "boolean"],
  integer: ["a whole number", Number.isSafeInteger],
  string: ["a string", (value) => typeof value === "string"],
  array: ["a list", Array.isArray],
  object: ["an object", isRecord],
};

const isIntOrString = (value: unknown): boolean => typeof value === "string" || Number.isSafeInteger(value);

/** The format cidr as the API server parses it. Source followed: ParseCIDRSloppy of k8s.io/utils, which accepts leading zeros of IPv4. */
function isCidr(text: string): boolean {
  const [, address = "", bits] = /^([^%/]+)[/]([0-9]{1,9})$/.exec(text) ?? [];
  const family = isIP(address.includes(":") ? address : address.replace(/\b0+(?=[0-9])/g, ""));
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

function* numberErrors(path: string, { minimum, maximum }: CrdSchema, value: number): Generator<string> {
  if (minimum !== undefined && value < minimum) yield `${path} must be at least ${minimum}, not ${value}`;
  if (maximum !== undefined && value > maximum) yield `${path} must be at most ${maximum}, not ${value}`;
}

function* stringErrors(path: string, schema: CrdSchema, value: string): Generator<string> {
  const { minLength = 0, maxLength = Infinity } = schema;
  const length = [...value].length;
  if (length < minLength) yield `${path} must not be empty: give it a value or leave it out`;
  if (length > maxLength) yield `${path} must have at most ${maxLength} characters, not ${length}: shorten it`;
  else if (schema.enum?.includes(value) === false)
    yield `${path} must be one of ${schema.enum.join(", ")}, not ${show(value)}`;
  else if (schema.format === "cidr" && !isCidr(value))
    yield `${path} must be an address range such as 10.0.0.0/8 or 2001:db8::/32, not ${show(value)}`;
}

function* arrayErrors(path: string, schema: CrdSchema, value: unknown[]): Generator<string> {
  const { minItems = 0, maxItems = Infinity } = schema;
  if (value.length < minItems) yield `${path} must not be empty: name at least one`;
  if (value.length > maxItems) yield `${path} must have at most ${maxItems} items, not ${value.length}: remove some`;
  for (const [index, item] of value.entries()) yield* schemaErrors(`${path}[${index}]`, schema.items!, item);
  const keys = schema["x-kubernetes-list-map-keys"] as string[] | undefined;
  const isSet = schema["x-kubernetes-list-type"] === "set";
  const seen = new Set<string>();
  for (const [index, item] of value.entries()) {
    const id = isSet ? JSON.stringify(item) : keys && isRecord(item) && JSON.stringify(keys.map((key) => item[key]));
    if (id && seen.has(id)) yield `${path}[${index}] repeats ${show(item)}: remove it`;
    if (id) seen.add(id);
  }
}

function* objectErrors(path: string, schema: CrdSchema, value: Record<string, unknown>): Generator<string> {
  const { properties = {}, additionalProperties, required = [], maxProperties = Infinity } = schema;
  const count = Object.values(value).filter(isGiven).length;
  if (count > maxProperties) yield `${path} must have at most ${maxProperties} entries, not ${count}: remove some`;
  for (const name of required) if (!isGiven(value[name])) yield `${path}.${name} is missing: give it a value`;
  for (const [name, inner] of Object.entries(value)) {
    const field = Object.hasOwn(properties, name) ? properties[name] : additionalProperties;
    if (isGiven(inner) && field) yield* schemaErrors(`${path}.${name}`, field, inner);
    else if (inner !== undefined && !field)
      yield `${path}.${name} is not a field: use one of ${Object.keys(properties).join(", ")}`;
  }
}

/**
 * The errors of a value against the types and bounds of a schema. Decides like the API server with strict field validation: unknown
 * fields are errors, and null means that a field is left out.
 */
export function* schemaErrors(path: string, schema: CrdSchema, value: unknown): Generator<string> {
  const [name, is] = schema["x-kubernetes-int-or-string"]
    ? [`a whole number or a string such as ${(schema.examples as unknown[]).join(" or ")}`, isIntOrString]
    : types[String(schema.type)]!;
  if (!is(value)) yield `${path} must be ${name}, not ${show(value)}`;
  else if (typeof value === "number") yield* numberErrors(path, schema, value);
  else if (typeof value === "string") yield* stringErrors(path, schema, value);
  else if (Array.isArray(value)) yield* arrayErrors(path, schema, value);
  else if (isRecord(value)) yield* objectErrors(path, schema, value);
}
