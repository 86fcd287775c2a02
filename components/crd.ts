import { CustomResourceDefinition } from "@pulumi/kubernetes/apiextensions/v1";
import type { CustomResourceDefinitionArgs } from "@pulumi/kubernetes/apiextensions/v1";
import type { CustomResource, Resource } from "@pulumi/pulumi";
import { memcachedCrd } from "../api";
import { lift, unlessEmpty } from "./lift";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";

type Manifest = Required<Pick<CustomResourceDefinitionArgs, "spec">> & {
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
};

/**
 * The CRD, there for its users only once the API server serves it; deleting it would delete every cache of the
 * cluster, so it is kept unless told otherwise.
 */
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
    // One that was retained, or was installed by hand, may hold another release's schema under another field manager.
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
