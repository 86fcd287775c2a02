import { isIP } from "node:net";
import type { CrdSchema } from "./crdSchema";

const show = (value: unknown): string => {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 60 ? `${text.slice(0, 57)}...` : text;
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What each type of a schema is called in a sentence, and how it is recognised. */
const types: Record<string, [name: string, is: (value: unknown) => boolean]> = {
  boolean: ["true or false", (value) => typeof value === "boolean"],
  integer: ["a whole number", Number.isSafeInteger],
  string: ["a string", (value) => typeof value === "string"],
  array: ["a list", Array.isArray],
  object: ["an object", isRecord],
};

/** What may be a number or a text: the examples tell which. */
const intOrString = ({ examples }: CrdSchema): string =>
  `a whole number or a string such as ${(examples as unknown[]).map(String).join(" or ")}`;

/** As the API server reads `format: cidr`. Source followed: ParseCIDRSloppy of k8s.io/utils, which takes leading zeros of IPv4. */
function isCidr(text: string): boolean {
  const [, address = "", bits] = /^([^%/]+)[/]([0-9]{1,9})$/.exec(text) ?? [];
  const family = isIP(address.includes(":") ? address : address.replace(/\b0+(?=[0-9])/g, ""));
  return family !== 0 && Number(bits) <= (family === 4 ? 32 : 128);
}

function* numberErrors(path: string, schema: CrdSchema, value: number): Generator<string> {
  const { minimum, maximum } = schema as { minimum?: number; maximum?: number };
  if (minimum !== undefined && value < minimum) yield `${path} must be at least ${minimum}, not ${value}`;
  if (maximum !== undefined && value > maximum) yield `${path} must be at most ${maximum}, not ${value}`;
}

function* stringErrors(path: string, schema: CrdSchema, value: string): Generator<string> {
  const {
    minLength,
    maxLength,
    enum: allowed,
  } = schema as Record<"minLength" | "maxLength", number | undefined> & {
    enum?: string[];
  };
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) yield `${path} must not be empty: give it a value or leave it out`;
  if (maxLength !== undefined && length > maxLength) {
    yield `${path} must have at most ${maxLength} characters, not ${length}: shorten it`;
  } else if (allowed && !allowed.includes(value)) {
    yield `${path} must be one of ${allowed.join(", ")}, not ${show(value)}`;
  } else if (schema.format === "cidr" && !isCidr(value)) {
    yield `${path} must be a range of addresses such as 10.0.0.0/8 or 2001:db8::/32, not ${show(value)}`;
  }
}

function* arrayErrors(path: string, schema: CrdSchema, value: unknown[]): Generator<string> {
  const { minItems = 0, maxItems } = schema as { minItems?: number; maxItems?: number };
  if (value.length < minItems) yield `${path} must not be empty: name at least one`;
  if (maxItems !== undefined && value.length > maxItems) {
    yield `${path} must have at most ${maxItems} items, not ${value.length}: remove some`;
  }
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
  const maxProperties = schema.maxProperties as number | undefined;
  const count = Object.values(value).filter((inner) => inner !== undefined && inner !== null).length;
  if (maxProperties !== undefined && count > maxProperties) {
    yield `${path} must have at most ${maxProperties} entries, not ${count}: remove some`;
  }
  for (const name of (schema.required as string[] | undefined) ?? []) {
    if (value[name] === undefined || value[name] === null) yield `${path}.${name} is missing: give it a value`;
  }
  for (const [name, inner] of Object.entries(value)) {
    const own = schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const innerSchema = own ?? (schema.additionalProperties as CrdSchema | undefined);
    if (inner === undefined) continue;
    if (!innerSchema) {
      yield `${path}.${name} is not a field: use one of ${Object.keys(schema.properties ?? {}).join(", ")}`;
    } else if (inner !== null) {
      yield* schemaErrors(`${path}.${name}`, innerSchema, inner);
    }
  }
}

/**
 * How a value breaks the types and bounds of a schema, one sentence each; nothing when it fits. It decides as the API
 * server does with strict field validation: unknown fields count, and a field that is null is left out.
 */
export function* schemaErrors(path: string, schema: CrdSchema, value: unknown): Generator<string> {
  if (schema["x-kubernetes-int-or-string"]) {
    if (typeof value === "string") yield* stringErrors(path, schema, value);
    else if (!Number.isSafeInteger(value)) yield `${path} must be ${intOrString(schema)}, not ${show(value)}`;
    return;
  }
  const [name, is] = types[String(schema.type)]!;
  if (!is(value)) yield `${path} must be ${name}, not ${show(value)}`;
  else if (typeof value === "number") yield* numberErrors(path, schema, value);
  else if (typeof value === "string") yield* stringErrors(path, schema, value);
  else if (Array.isArray(value)) yield* arrayErrors(path, schema, value);
  else yield* objectErrors(path, schema, value as Record<string, unknown>);
}
