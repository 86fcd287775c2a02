import { CustomResource } from "@pulumi/kubernetes/apiextensions/customResource";
import type { CustomResourceOptions, Input, Output } from "@pulumi/pulumi";
import { group, kind, storedVersion } from "../api";
import type { MemcachedSpec, MemcachedStatus } from "../api";
import { lift, unlessEmpty } from "./lift";
import type { MemcachedArgs } from "./memcachedArgs";

type Annotations = { [key: string]: Input<string> };

/** The custom resource itself, with the status that the Kubernetes SDK's own class does not show. */
export class MemcachedResource extends CustomResource {
  /** As the API server stores it, its defaults filled in. */
  declare readonly spec: Output<MemcachedSpec>;
  /** Undefined until the operator has seen the resource. */
  declare readonly status: Output<MemcachedStatus | undefined>;

  constructor(name: string, metadata: Input<object>, spec: Input<object>, opts: CustomResourceOptions) {
    // A property has to be named among the inputs to become an output.
    super(name, { apiVersion: `${group}/${storedVersion}`, kind, metadata, spec, status: undefined }, opts);
  }
}

/** The resource's metadata, with the annotations that make Pulumi wait for it. */
export function resourceMetadata(args: MemcachedArgs) {
  const waiting: Annotations = args.skipAwait
    ? { "pulumi.com/skipAwait": "true" }
    : { "pulumi.com/waitFor": "condition=Ready" };
  // Without it, a size set by kubectl scale or an autoscaler is a conflict that fails the update.
  const force: Annotations = (args.patchForce ?? args.size !== undefined) ? { "pulumi.com/patchForce": "true" } : {};
  const labels = unlessEmpty(args.labels);
  return {
    ...(args.name !== undefined && { name: args.name }),
    ...(args.namespace !== undefined && { namespace: args.namespace }),
    ...(labels && { labels }),
    annotations: lift(args.annotations ?? {}, (given) => ({ ...waiting, ...force, ...given })),
  };
}
