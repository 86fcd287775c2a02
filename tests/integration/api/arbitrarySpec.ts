/** Specs made from the schema itself: a new field is tried without an edit here, with the examples of its own where those are needed. */
import fc from "fast-check";
import { Spec } from "../../../api/fields";
import { anyArgs } from "./arbitraryArgs";

type Arbitrary = fc.Arbitrary<unknown>;

interface Schema {
  type?: string;
  enum?: string[];
  examples?: unknown[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  maxItems?: number;
  maxProperties?: number;
  required?: string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  additionalProperties?: Schema;
  "x-kubernetes-int-or-string"?: boolean;
  "x-kubernetes-list-type"?: string;
  "x-kubernetes-list-map-keys"?: string[];
}

/** How often a value is one that does not fit. */
type Or = (good: Arbitrary, bad: Arbitrary) => Arbitrary;

const anything = fc.constantFrom<unknown>(null, true, "", "x", -1, 0, 1.5, 1e12, [], [null], {}, { a: 1 });

const names = ["team", "example.com/team", "a.b", "Team_2.x"];
const reserved = ["app.kubernetes.io/name", "pod-template-hash", "cache.example.com/x"];
const longKeys = [`${"a.".repeat(126)}aa/b`, `${"a.".repeat(126)}a/b`, "a".repeat(64)];
const badKey = fc.oneof(
  fc.constantFrom(...reserved),
  fc.constantFrom("", "-a", "a/b/c", "A.b/c", ...longKeys),
  fc.string({ maxLength: 6, unit: fc.constantFrom(..."aB1-_./ \n") }),
);

const suffix = fc.constantFrom(..."k M G T Ki Mi Gi Ti m u E Pi e3 E2 ki B %".split(" "), "");
const number = fc.oneof(
  fc.nat(10_000).map(String),
  fc.tuple(fc.nat(99), fc.constantFrom("0", "5", "25", "125", "0001", "")).map((parts) => parts.join(".")),
  fc.constantFrom("", "-", "-1", "+2", ".5", "9999999999999999", "1.2.3"),
);
const quantity = fc.tuple(number, suffix).map((parts) => parts.join(""));
const noise = fc.string({ maxLength: 8, unit: fc.constantFrom(..."aB1-_./:@%=, \t\né") });

/** A text with one of its characters left out, doubled or changed. */
const mutated = (text: string): Arbitrary =>
  fc
    .tuple(fc.nat(text.length), fc.nat(1), fc.constantFrom("", ..."aZ0-_./:@ \n"))
    .map(([at, left, put]) => text.slice(0, at) + put + text.slice(at + left));

const texts = ({ examples = [] }: Schema): string[] => examples.filter((each) => typeof each === "string");

function goodText(schema: Schema): Arbitrary {
  const known = schema.enum ?? texts(schema);
  return fc.constantFrom(...(known.length > 0 ? known : [...names, ...(schema.minLength ? [] : [""])]));
}

function badText(schema: Schema): Arbitrary {
  const { maxLength = 0 } = schema;
  const known = schema.enum ?? texts(schema);
  return fc.oneof(
    noise,
    quantity,
    fc.constantFrom("", "a".repeat(maxLength), "a".repeat(maxLength + 1)),
    ...known.map(mutated),
  );
}

function wholeNumber({ minimum = -1000, maximum = 1000 }: Schema, or: Or): Arbitrary {
  return or(
    fc.oneof(fc.constantFrom(minimum, maximum), fc.integer({ min: minimum, max: maximum })),
    fc.constantFrom(minimum - 1, maximum + 1, -minimum, 1.5),
  );
}

/** By what items must differ. */
function identity({ "x-kubernetes-list-type": type, "x-kubernetes-list-map-keys": keys }: Schema) {
  if (type === "atomic") return undefined;
  return (item: unknown) => JSON.stringify(keys ? keys.map((key) => (item as Record<string, unknown>)[key]) : item);
}

function list(schema: Schema, or: Or): Arbitrary {
  const { items = {}, maxItems = 0 } = schema;
  const selector = identity(schema);
  const good = valueOf(items, (value) => value);
  const few = { maxLength: 3 };
  return or(
    selector ? fc.uniqueArray(good, { ...few, selector }) : fc.array(good, few),
    fc.oneof(
      { weight: 4, arbitrary: fc.array(valueOf(items, or), few) },
      good.map((item) => [item, item]),
      good.map((item) => Array<unknown>(maxItems + 1).fill(item)),
      fc.array(anything, few),
    ),
  );
}

function map({ additionalProperties = {}, examples = [], maxProperties = 0 }: Schema, or: Or): Arbitrary {
  const own = examples.flatMap((example) => Object.keys(example as object));
  const key = fc.constantFrom(...own, ...(additionalProperties["x-kubernetes-int-or-string"] ? [] : names));
  const value = valueOf(additionalProperties, or);
  const tooMany = Object.fromEntries(Array.from({ length: maxProperties + 1 }, (_, i) => [`k${i}`, ""]));
  return or(
    fc.dictionary(key, value, { maxKeys: 3 }),
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.dictionary(fc.oneof(key, badKey), fc.oneof({ weight: 9, arbitrary: value }, anything), {
          maxKeys: 3,
        }),
      },
      fc.constant(tooMany),
    ),
  );
}

function object({ properties = {}, required = [] }: Schema, or: Or): Arbitrary {
  const fields = Object.entries(properties).map(([name, schema]) => [name, valueOf(schema, or)]);
  const members = fc.record(Object.fromEntries(fields) as Record<string, Arbitrary>, { requiredKeys: required });
  const without = fc.record(Object.fromEntries(fields) as Record<string, Arbitrary>, { requiredKeys: [] });
  return or(
    members,
    fc.oneof(
      without,
      members.map((given) => ({ ...given, unknown: 1 })),
    ),
  );
}

function plainValueOf(schema: Schema, or: Or): Arbitrary {
  if (schema["x-kubernetes-int-or-string"]) return or(goodText(schema), fc.oneof(fc.integer(), badText(schema)));
  if (schema.additionalProperties) return map(schema, or);
  switch (schema.type) {
    case "boolean":
      return fc.boolean();
    case "integer":
      return wholeNumber(schema, or);
    case "array":
      return list(schema, or);
    case "object":
      return object(schema, or);
    default:
      return or(goodText(schema), badText(schema));
  }
}

function valueOf(schema: Schema, or: Or): Arbitrary {
  const plain = plainValueOf(schema, or);
  const value = or(plain, fc.oneof({ weight: 9, arbitrary: plain }, { weight: 1, arbitrary: anything }));
  const { examples = [] } = schema;
  return examples.length > 0 ? or(fc.oneof(fc.constantFrom(...examples), value), value) : value;
}

/** Words that only memcached's own flags give. */
const furtherArgs = fc.oneof(
  anyArgs,
  fc
    .constantFrom(..."-p -Ap1 -vp --port=1 --po -d --u -c9 --memory -VV --= -o".split(" "), "-o modern")
    .map((word) => [word]),
  fc.array(fc.string({ maxLength: 6, unit: fc.constantFrom(..."-=pmctIvdulshiVAFo \t\n1") }), { maxLength: 2 }),
  fc.array(fc.string({ maxLength: 12, unit: "binary" }), { maxLength: 2 }),
);

const fields = Object.entries(Spec.properties as unknown as Record<string, Schema>);

const valuesWith = (or: Or): Record<string, Arbitrary> => {
  const values = Object.fromEntries(fields.map(([name, schema]) => [name, valueOf(schema, or)]));
  return { ...values, extraArgs: or(values.extraArgs!, furtherArgs) };
};

const good = valuesWith((value) => value);
const odd = valuesWith((value, bad) => fc.oneof(value, bad));

/** Some of the fields, for of all at once two would nearly always disagree. */
const some = (most: number) => fc.subarray(Object.keys(good), { maxLength: most });
const specOf = (of: Record<string, Arbitrary>, names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, of[name]!])));

/** extraArgs has as many rules as all the others. */
const oneOdd = fc
  .tuple(some(4), fc.constantFrom(...Object.keys(good), ...Array<string>(6).fill("extraArgs")))
  .chain(([names, name]) => specOf({ ...good, [name]: odd[name]! }, [...new Set([...names, name])]));

/** A spec, legal or not, in every way that one can be wrong: nothing wrong, one field, or several. */
export const arbitrarySpec: fc.Arbitrary<Record<string, unknown>> = fc.oneof(
  some(8).chain((names) => specOf(good, names)),
  { weight: 3, arbitrary: oneOdd },
  some(4).chain((names) => specOf(odd, names)),
);
