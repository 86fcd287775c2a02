/** What users write to reach the resource inside a `Memcached` with an option that Pulumi does not hand to children. */
import type { ComponentResourceOptions, CustomResourceOptions } from "@pulumi/pulumi";

/** Options of the component that add options to its resource. */
export function resourceOptions(more: CustomResourceOptions): ComponentResourceOptions {
  return {
    transforms: [
      ({ type, props, opts }) => (type.endsWith("/v1:Memcached") ? { props, opts: { ...opts, ...more } } : undefined),
    ],
  };
}
