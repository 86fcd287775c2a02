// A cache for each tenant, by the Automation API. In your project, import from "pulumi-memcached-operator".
import { LocalWorkspace } from "@pulumi/pulumi/automation";
import type { LocalWorkspaceOptions } from "@pulumi/pulumi/automation";
import { Memcached } from "../../components";

export interface Tenant {
  name: string;
  namespace: string;
  size: number;
}

const stackOf = ({ name, namespace, size }: Tenant, options: LocalWorkspaceOptions) =>
  LocalWorkspace.createOrSelectStack(
    {
      stackName: name,
      projectName: "tenants",
      program: async () => {
        const cache = new Memcached(name, { name, namespace, size, labels: { tenant: name }, readyTimeout: "2m" });
        return { servers: cache.servers };
      },
    },
    options,
  );

/** Makes or resizes the tenant's cache, and gives its servers once it is ready. */
export async function provision(tenant: Tenant, options: LocalWorkspaceOptions = {}): Promise<string[]> {
  const stack = await stackOf(tenant, options);
  const { outputs } = await stack.up({ refresh: true });
  return outputs.servers!.value as string[];
}

/** Removes the tenant's cache, and its stack. */
export async function retire(tenant: Tenant, options: LocalWorkspaceOptions = {}): Promise<void> {
  const stack = await stackOf(tenant, options);
  await stack.destroy({ remove: true });
}
