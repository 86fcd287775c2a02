/** The same resources without the components: a program written out from what a stack's state holds. */

/** What the state says of a resource. */
export interface StateResource {
  urn: string;
  type: string;
  custom: boolean;
  inputs?: object;
  dependencies?: string[];
  retainOnDelete?: boolean;
}

/** The state's resources of Kubernetes as a JavaScript program of plain @pulumi/kubernetes classes, in the same order. */
export function plainProgram(resources: StateResource[]): string {
  const plain = resources.filter(({ type }) => type.startsWith("kubernetes:"));
  const variable = new Map(plain.map(({ urn }, i) => [urn, `r${i}`]));
  const deployments = plain.filter(({ type }) => type.endsWith(":Deployment")).map(({ urn }) => urn);
  const lines = plain.map((resource) => {
    // A component's child comes after all that its parent names in dependsOn; here that has to be said.
    const cache = resource.type.endsWith(":Memcached");
    const after = cache ? deployments : (resource.dependencies ?? []);
    const dependsOn = after.flatMap((urn) => variable.get(urn) ?? []);
    const options = `{ dependsOn: [${dependsOn.join(", ")}], retainOnDelete: ${resource.retainOnDelete ?? false} }`;
    const name = JSON.stringify(resource.urn.split("::").at(-1));
    const inputs = JSON.stringify(resource.inputs, (key, value: unknown) => (key.startsWith("__") ? undefined : value));
    return `const ${variable.get(resource.urn)} = new ${classOf(resource.type)}(${name}, ${inputs}, ${options});`;
  });
  return [`const k8s = require("@pulumi/kubernetes");`, ...lines, ""].join("\n");
}

/** `kubernetes:rbac.authorization.k8s.io/v1:Role` is `k8s.rbac.v1.Role`; what has no class of its own is a CustomResource. */
function classOf(type: string): string {
  const [, group = "", kind = ""] = type.split(":");
  const [name = "", version = ""] = group.split("/");
  if (name.includes(".") && !name.endsWith(".k8s.io")) return "k8s.apiextensions.CustomResource";
  return `k8s.${name.split(".")[0]}.${version}.${kind}`;
}
