import type { Input } from "@pulumi/pulumi";
import { Type } from "@sinclair/typebox";
import { specFields } from "../api";
import type { MemcachedSpecArgs } from "./generated/memcachedArgs";
import { annotations, clusterDomain, flag, labels, namespace, timeout } from "./validation/forms";
import { argsSchema } from "./validation/schema";
import type { ArgSchema } from "./validation/schema";

/** What a cache is made of: every field of the resource's spec, and how Pulumi makes it. */
export interface MemcachedArgs extends MemcachedSpecArgs {
  /**
   * Name of the resource, and of its Deployment and Service: a DNS label of at most 52 characters that starts with a
   * letter.
   * Defaults to the Pulumi name and a random suffix.
   * @example "sessions"
   */
  name?: Input<string>;
  /**
   * Namespace of the cache. While it does not exist, `pulumi up` names it and tries again, and fails after a minute. One that is made in
   * the same program is given by its output, or named in `dependsOn`.
   * Defaults to the provider's namespace or that of its kubeconfig's context, and to "default" where neither names one.
   * @example "shop"
   */
  namespace?: Input<string>;
  /**
   * Domain of the cluster's DNS, in which the addresses end. The update fails when the operator finds another.
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
   * Annotations of the resource; a `pulumi.com/` annotation given here wins over the component's own.
   * @example { "example.com/owner": "checkout" }
   */
  annotations?: Input<{ [key: string]: Input<string> }>;
  /**
   * How long `pulumi up` waits for the cache to be ready before it fails: a duration, or a number of seconds.
   * Defaults to "5m".
   * @example "90s"
   */
  readyTimeout?: string;
  /**
   * Whether `pulumi up` goes on without waiting for the cache to be ready.
   * Defaults to false.
   * @example true
   */
  skipAwait?: boolean;
  /**
   * Whether the program wins where others, such as `kubectl apply` or `kubectl scale`, wrote a field that it gives.
   * Without it, an update that meets such a field fails and names it. A resource made by hand is taken over with it, by
   * releases of the Kubernetes provider from 4.29 on only when their `upsertExistingObjects` is set as well.
   * Defaults to true when `size` is given, else to false.
   * @example true
   */
  patchForce?: boolean;
}

/** The arguments that are not fields of the spec; whether a name is one, the API says. */
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

/** All arguments, of which the fields of the spec are the API's to check. */
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
