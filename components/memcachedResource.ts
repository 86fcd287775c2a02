import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { group, kind, storedVersion } from "../api";
import type { MemcachedSpec, MemcachedStatus } from "../api";
import { lift, unlessEmpty } from "./lift";
import type { MemcachedArgs } from "./memcachedArgs";

type Annotations = { [key: string]: Input<string> };

/** The custom resource, with the status, which the Kubernetes SDK's own class does not have. */
export class MemcachedResource extends CustomResource {
  /** As the API server stores it, with defaults. */
  declare readonly spec: Output<MemcachedSpec>;
  /** Undefined until the operator has processed the resource. */
  declare readonly status: Output<MemcachedStatus | undefined>;

  constructor(name: string, metadata: Input<object>, spec: Input<object>, opts: CustomResourceOptions) {
    // Only a property that is among the inputs becomes an output.
    super(name, { apiVersion: `${group}/${storedVersion}`, kind, metadata, spec, status: undefined }, opts);
  }
}

/** The resource's metadata, with annotations that make Pulumi wait for it. */
export function resourceMetadata(args: MemcachedArgs) {
  const waiting: Annotations = args.skipAwait
    ? { "pulumi.com/skipAwait": "true" }
    : { "pulumi.com/waitFor": "condition=Ready" };
  // Otherwise a size that kubectl scale or an autoscaler has set would be a conflict.
  const force: Annotations = (args.patchForce ?? args.size !== undefined) ? { "pulumi.com/patchForce": "true" } : {};
  const labels = unlessEmpty(args.labels);
  return {
    ...(args.name !== undefined && { name: args.name }),
    ...(args.namespace !== undefined && { namespace: args.namespace }),
    ...(labels && { labels }),
    annotations: lift(args.annotations ?? {}, (given) => ({ ...waiting, ...force, ...given })),
  };
}
