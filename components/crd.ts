import { CustomResourceDefinition } from "@pulumi/kubernetes/apiextensions/v1";
import type { CustomResourceDefinitionArgs } from "@pulumi/kubernetes/apiextensions/v1";
import type { CustomResource, Resource } from "@pulumi/pulumi";
import { memcachedCrd } from "../api";
import { lift, unlessEmpty } from "./lift";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";

type Manifest = Required<Pick<CustomResourceDefinitionArgs, "spec">> & {
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
};

/** The CRD. Its users wait until the API server serves it. It is retained by default, because deleting it deletes every cache. */
export function installCrd(
  name: string,
  args: MemcachedOperatorArgs,
  opts: { parent: Resource; dependsOn: Resource[]; retainOnDelete?: boolean },
): CustomResource {
  const retain = args.retainCrds ?? true;
  const { metadata, spec } = memcachedCrd() as Manifest;
  const labels = lift(args.labels ?? {}, (given) => ({ ...given, ...metadata.labels }));
  const annotations = lift(args.annotations ?? {}, (given) => ({
    ...given,
    ...metadata.annotations,
    "pulumi.com/waitFor": "condition=Established",
    // A CRD that was retained or installed by hand may have another release's schema and another field manager.
    "pulumi.com/patchForce": "true",
  }));
  return new CustomResourceDefinition(
    `${name}-crd`,
    { metadata: { ...metadata, labels: unlessEmpty(labels), annotations }, spec },
    {
      ...opts,
      retainOnDelete: retain || (opts.retainOnDelete ?? false),
      ...(!retain && { deleteBeforeReplace: true }),
    },
  );
}
