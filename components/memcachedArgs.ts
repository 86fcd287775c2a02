import type { Input } from "@pulumi/pulumi";
import { Type } from "@sinclair/typebox";
import { specFields } from "../api";
import type { MemcachedSpecArgs } from "./generated/memcachedArgs";
import { annotations, clusterDomain, flag, labels, namespace, timeout } from "./validation/forms";
import { argsSchema } from "./validation/schema";
import type { ArgSchema } from "./validation/schema";

/** All fields of the resource's spec, and how Pulumi creates the resource. */
export interface MemcachedArgs extends MemcachedSpecArgs {
  /**
   * Name of the resource, and of its Deployment and Service: a DNS label of at most 52 characters that starts with a
   * letter.
   * Defaults to the Pulumi name and a random suffix.
   * @example "sessions"
   */
  name?: Input<string>;
  /**
   * Namespace of the cache. If it does not exist, `pulumi up` retries for a minute and then fails. If the same program creates the
   * namespace, pass its output, or add it to `dependsOn`.
   * Defaults to the namespace of the provider or of its kubeconfig's context, otherwise to "default".
   * @example "shop"
   */
  namespace?: Input<string>;
  /**
   * Domain of the cluster's DNS, for the addresses. The update fails if the operator uses another domain.
   * Defaults to "cluster.local".
   * @example "cluster.example.com"
   */
  clusterDomain?: Input<string>;
  /**
   * Labels of the resource.
   * @example { team: "checkout" }
   */
  labels?: Input<{ [key: string]: Input<string> }>;
  /**
   * Annotations of the resource. A `pulumi.com/` annotation replaces the component's own.
   * @example { "example.com/owner": "checkout" }
   */
  annotations?: Input<{ [key: string]: Input<string> }>;
  /**
   * How long `pulumi up` waits until the cache is ready: a duration, or a number of seconds.
   * Defaults to "5m".
   * @example "90s"
   */
  readyTimeout?: string;
  /**
   * Whether `pulumi up` does not wait until the cache is ready.
   * Defaults to false.
   * @example true
   */
  skipAwait?: boolean;
  /**
   * Whether the program overwrites fields that others have set, for example with `kubectl apply` or `kubectl scale`. If false, an
   * update fails and names such a field. With true, the program also takes over an existing resource; the Kubernetes provider
   * 4.29 and later additionally requires its option `upsertExistingObjects`.
   * Defaults to true if `size` is given, otherwise to false.
   * @example true
   */
  patchForce?: boolean;
}

/** The arguments that are not fields of the spec. The API checks the name. */
const ownSchema = argsSchema<Omit<MemcachedArgs, keyof MemcachedSpecArgs>>({
  name: Type.Unsafe<string>({}),
  namespace,
  clusterDomain,
  labels,
  annotations,
  readyTimeout: timeout,
  skipAwait: flag,
  patchForce: flag,
});

export const ownArgs: readonly string[] = Object.keys(ownSchema.properties);

/** All arguments. The API checks the fields of the spec. */
export const memcachedSchema: ArgSchema = {
  ...ownSchema,
  properties: { ...ownSchema.properties, ...Object.fromEntries(specFields.map((field) => [field, {} as ArgSchema])) },
};

/** The fields of the spec that are given. */
export function specOf(args: MemcachedArgs): Record<string, unknown> {
  const given: Record<string, unknown> = { ...args };
  return Object.fromEntries(
    specFields.filter((field) => given[field] !== undefined).map((field) => [field, given[field]]),
  );
}
