import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Analyzer } from "@pulumi/pulumi/provider/experimental/analyzer";
import { generateSchema } from "@pulumi/pulumi/provider/experimental/schema";
import { components } from "../../plugin/provider";

const root = join(__dirname, "..", "..");

/** schema.json: what Pulumi's own inference makes of the components' classes, for other languages. */
export function packageSchema(): string {
  const { version, description } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Manifest;
  // Pulumi's component provider infers the same, but from the entry point in package.json, which is compiled code.
  const entry = { main: "components/index.ts" };
  const found = new Analyzer(root, "memcached", entry, new Set(Object.keys(components))).analyze();
  const { components: classes, typeDefinitions, dependencies } = found;
  const schema = generateSchema("memcached", version, description, classes, typeDefinitions, dependencies);
  return `${JSON.stringify(schema, null, 2)}\n`;
}

interface Manifest {
  version: string;
  description: string;
}
