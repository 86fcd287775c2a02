import { apiVersion, deprecatedSizeRule, deprecatedVersion, group, kind, nameRule, rules } from "../../api";
import { type Field, type FieldSchema, fieldsOf, specSchema, statusSchema } from "./fieldDocs";
import { code, markdownTable as table } from "../../bench/table";
import { notice } from "./yaml";

function typeOf(schema: FieldSchema): string {
  if (schema.enum) return schema.enum.map(code).join(", ");
  if (schema.kubernetesType) return `${schema.type === "array" ? "list of " : ""}${code(schema.kubernetesType)}`;
  if (schema.additionalProperties) return schema.additionalProperties.type ? "map of strings" : "map of quantities";
  if (schema.type === "array")
    return `list of ${schema.items?.properties ? "objects" : schema.items?.enum ? typeOf(schema.items) : "strings"}`;
  return schema.type ?? "integer or string";
}

/** The fields below one, each with its whole path, in the order they are declared. */
function flat(prefix: string, schema: FieldSchema): [path: string, field: Field][] {
  return fieldsOf(schema).flatMap((field): [string, Field][] => {
    const path = `${prefix}${field[0]}`;
    if (field[1].kubernetesType) return [[path, field]];
    const inner = field[1].items?.properties ? flat(`${path}[].`, field[1].items) : flat(`${path}.`, field[1]);
    return [[path, field], ...inner];
  });
}

const value = (given: unknown): string =>
  given === undefined ? "" : code(typeof given === "object" ? JSON.stringify(given) : String(given));

const specRows = flat("", specSchema).map(([path, [, schema]]) => [
  code(path),
  typeOf(schema),
  value(schema.default),
  value(schema.examples?.[0]),
  schema.description ?? "",
]);

const statusRows = flat("", statusSchema).map(([path, [, schema]]) => [
  code(path),
  typeOf(schema),
  schema.description ?? "",
]);

const sentences = [nameRule, ...rules, deprecatedSizeRule].map(({ message }) => `- ${message}`);

/** docs/reference.md: every field of the API. */
export function referencePage(): string {
  return `<!-- ${notice} -->

# ${kind} in ${group}

Write \`apiVersion: ${apiVersion}\`. \`${group}/${deprecatedVersion}\` is still served: it has the same fields and
defaults, \`size\` is held to 1 to 3, and the API server answers with a warning that names ${apiVersion}.

\`kubectl explain memcached.spec\` says the same in a terminal.

## spec

${table(["Field", "Type", "Default", "Example", "Meaning"], specRows)}

## status

${table(["Field", "Type", "Meaning"], statusRows)}

What the conditions say in which situation is in [conditions.md](conditions.md).

## Scale

\`kubectl scale memcached/NAME --replicas=3\` and a HorizontalPodAutoscaler with the Memcached as its
\`scaleTargetRef\` write \`spec.size\`; they read \`status.replicas\` and \`status.selector\`.

## What is refused

Beside wrong types and values out of bounds, \`kubectl apply\`, a server-side dry run and the Pulumi component refuse a
resource in these words:

${sentences.join("\n")}
`;
}
