import { format, resolveConfig } from "prettier";
import { type Field, type FieldSchema, fieldsOf, specSchema } from "./fieldDocs";
import { notice } from "./yaml";

/** imagePullSecrets -> ImagePullSecret, ipFamilies -> IpFamily, for the type of a list's item or of a set of values. */
const typeName = (field: string, plural: boolean): string =>
  field[0]!.toUpperCase() + (plural ? field.slice(1).replace(/ies$/, "y").replace(/s$/, "") : field.slice(1));

/** Collects the types that the fields' types name, in the order they are met. */
type Declarations = Map<string, string>;

const specArgs = "MemcachedSpecArgs";

/** `parent` is the object the field is in: the `type` of `service` is a ServiceType. */
function typeOf([name, schema]: Field, declared: Declarations, parent = ""): string {
  if (schema.enum) {
    const type = parent + typeName(name, false);
    declared.set(type, enumeration(type, schema));
    return type;
  }
  if (schema.kubernetesType) {
    return schema.type === "array" ? `Input<${schema.kubernetesType}>[]` : schema.kubernetesType;
  }
  // Pulumi's schema inference takes no number | string: any it is, and what is given is checked when the program runs.
  if (schema["x-kubernetes-int-or-string"]) return "any";
  if (schema.additionalProperties) return "{ [key: string]: Input<string> }";
  switch (schema.type) {
    case "boolean":
      return "boolean";
    case "integer":
      return "number";
    case "array":
      return `Input<${itemType(name, schema.items!, declared, parent)}>[]`;
    case "object":
      return objectType(`${typeName(name, false)}Args`, schema, declared);
    default:
      return "string";
  }
}

function itemType(list: string, item: FieldSchema, declared: Declarations, parent: string): string {
  const name = typeName(list, true);
  return item.properties ? objectType(`${name}Args`, item, declared) : typeOf([name, item], declared, parent);
}

function objectType(type: string, schema: FieldSchema, declared: Declarations): string {
  declared.set(type, interfaceOf(type, schema, schema.description ?? "", declared));
  return type;
}

/** A closed set the way Pulumi's schema inference takes it: an object of constants, and the type of its values. */
function enumeration(type: string, schema: FieldSchema): string {
  const members = schema.enum!.map((value) => `${memberName(value)}: ${JSON.stringify(value)},`);
  return `${comment([schema.description ?? ""])}
export const ${type} = { ${members.join(" ")} } as const;
export type ${type} = (typeof ${type})[keyof typeof ${type}];`;
}

/** 1.2 -> V1_2. */
const memberName = (value: string): string => (/^[0-9]/.test(value) ? `V${value.replace(/\W/g, "_")}` : value);

/** A comment of lines no longer than the formatter's. */
function comment(paragraphs: string[]): string {
  const lines = paragraphs.flatMap((paragraph) => {
    const wrapped: string[] = [""];
    for (const word of paragraph.split(" ")) {
      const line = wrapped.at(-1)!;
      if (line && line.length + word.length > 110) wrapped.push(word);
      else wrapped[wrapped.length - 1] = line ? `${line} ${word}` : word;
    }
    return wrapped;
  });
  return ["/**", ...lines.map((line) => ` * ${line}`), " */"].join("\n");
}

/** A value as TypeScript writes it. */
const given = (value: unknown): string =>
  // A text in braces is TypeScript already.
  (typeof value === "string" && value.startsWith("{") ? value : JSON.stringify(value, null, 1))
    .replace(/\n */g, " ")
    .replace(/\[ /g, "[")
    .replace(/ \]/g, "]")
    .replace(/"(\w+)":/g, "$1:");

function member(field: Field, required: boolean, declared: Declarations, parent: string): string {
  const [name, schema] = field;
  const text = [schema.description, schema.componentNote].filter(Boolean).join(" ");
  const fallback = schema.default === undefined ? [] : [`Defaults to ${given(schema.default)}.`];
  const examples = (schema.examples ?? []).map((example) => `@example ${given(example)}`);
  return `${comment([text, ...fallback, ...examples])}
${name}${required ? "" : "?"}: Input<${typeOf(field, declared, parent)}>;`;
}

function interfaceOf(type: string, schema: FieldSchema, text: string, declared: Declarations): string {
  const parentName = type === specArgs ? "" : type.replace(/Args$/, "");
  const { required = [], componentFields } = schema;
  const fields = [...fieldsOf(schema), ...Object.entries(componentFields ?? {})];
  const members = fields.map((field) =>
    member(field, required.includes(field[0]) && !componentFields, declared, parentName),
  );
  return `${comment([text])}\nexport interface ${type} {\n${members.join("\n")}\n}`;
}

/** components/generated/memcachedArgs.ts: the fields of spec as a component's arguments. */
export async function componentArgs(): Promise<string> {
  const declared: Declarations = new Map();
  const args = interfaceOf(specArgs, specSchema, "The fields of a Memcached's spec.", declared);
  const head = [
    `// ${notice}`,
    "/* eslint-disable @typescript-eslint/no-explicit-any */",
    `import type { core, networking } from "@pulumi/kubernetes/types/input";\nimport type { Input } from "@pulumi/pulumi";`,
  ];
  const text = [...head, ...declared.values(), args].join("\n\n");
  return format(text, { ...(await resolveConfig(__filename)), parser: "typescript" });
}
