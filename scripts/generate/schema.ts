import { readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema, type PackageSpec } from "@pulumi/pulumi/provider/experimental/schema";
import { components } from "../../plugin/provider";

const root = join(__dirname, "..", "..");

/** Holds a tsconfig.json of the components alone: with the repository's own, all of it would be read. */
const sources = join(__dirname, "schemaSources");

/** schema.json: what Pulumi's own inference makes of the components' classes, for other languages. */
export function packageSchema(): string {
  const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  // Pulumi's component provider infers the same, but from the entry point in package.json, which is compiled code.
  const entry = { main: relative(sources, join(root, "components/index.ts")) };
  const found = new Analyzer(sources, "memcached", entry, new Set(Object.keys(components))).analyze();
  const { components: classes, typeDefinitions, dependencies } = found;
  const schema = generateSchema("memcached", version, description, classes, typeDefinitions, dependencies);
  return `${JSON.stringify(withoutSuffix(schema), null, 2)}\n`;
}

/** TypeScript's `ProxyArgs` is `Proxy` in a schema: each language adds its own suffix, and would make it `ProxyArgsArgs`. */
function withoutSuffix(schema: PackageSpec): PackageSpec {
  const names = Object.keys(schema.types).map((token) => token.replace(/Args$/, ""));
  const twice = names.find((token, i) => names.indexOf(token) < i);
  if (twice) throw new Error(`two types are called ${twice} for other languages: rename one of the interfaces`);
  return JSON.parse(JSON.stringify(schema).replaceAll(/(memcached:index:\w+)Args"/g, '$1"')) as PackageSpec;
}

interface Manifest {
  version: string;
  description: string;
}
