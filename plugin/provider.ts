import type { ComponentResource, ComponentResourceOptions, Inputs } from "@pulumi/pulumi";
import type { ConstructResult, Provider } from "@pulumi/pulumi/provider";
import { Memcached, MemcachedOperator } from "../components";

/** The part of the package's schema that is used. */
export interface PackageSchema {
  version: string;
  resources: { [token: string]: { properties: { [output: string]: unknown } } };
}

// Arguments come from another language and have unknown types: the constructors check them.
type Constructor = new (name: string, args: never, opts: ComponentResourceOptions) => ComponentResource;

/** The components for other languages, by the name in their token. */
export const components: { [name: string]: Constructor } = { Memcached, MemcachedOperator };

/**
 * Creates the components for programs in other languages. The schema was inferred when the package was built, so no TypeScript is
 * needed at run time.
 */
export function memcachedProvider(schemaText: string): Provider {
  const { version, resources } = JSON.parse(schemaText) as PackageSchema;
  return {
    version,
    schema: schemaText,
    async construct(name: string, type: string, inputs: Inputs, options: ComponentResourceOptions) {
      const component = components[type.slice(type.lastIndexOf(":") + 1)];
      const described = resources[type];
      if (!component || !described)
        throw new Error(`${type}: unknown component; use one of ${Object.keys(resources).join(", ")}`);
      const instance = new component(name, inputs as never, options);
      const outputs = Object.keys(described.properties).map((key) => [key, instance[key as keyof ComponentResource]]);
      const result: ConstructResult = { urn: instance.urn, state: Object.fromEntries(outputs) as Inputs };
      return result;
    },
  };
}
