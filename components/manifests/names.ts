import type { Input } from "@pulumi/pulumi";
import { lift, unlessEmpty } from "../lift";
import type { OperatorManifestArgs } from "./options";

export const defaultPrefix = "memcached-operator-";
export const defaultNamespace = "memcached-operator-system";

/** A Kubernetes object whose values may be unknown. */
export interface KubeManifest {
  apiVersion: string;
  kind: string;
  metadata: ManifestMeta;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each kind has fields of its own
  [field: string]: any;
}

export interface ManifestMeta {
  name: Input<string>;
  namespace?: Input<string>;
  labels?: Input<Labels>;
  annotations?: Input<Labels>;
}

export type Labels = { [key: string]: Input<string> };

/** The names and labels that all objects share. */
export interface Scope {
  /** `memcached-operator-` + `controller-manager`, and so on. */
  name(suffix: string): string;
  namespace: Input<string>;
  /** The labels that select the operator's pods. */
  selector: { [key: string]: string };
  /** metadata of an object; without a namespace for cluster-scoped ones. */
  meta(suffix: string, namespace?: Input<string>): ManifestMeta;
  labels: Input<Labels>;
  annotations?: Input<Labels>;
}

export function scope(args: OperatorManifestArgs): Scope {
  const prefix = args.namePrefix ?? defaultPrefix;
  const app = prefix.replace(/[^a-z0-9]+$/, "") || "memcached-operator";
  const selector = { "app.kubernetes.io/name": app, "control-plane": "controller-manager" };
  const labels = lift(args.labels ?? {}, (given) => ({ ...given, "app.kubernetes.io/name": app })) as Input<Labels>;
  const annotations = unlessEmpty(args.annotations);
  const name = (suffix: string) => prefix + suffix;
  return {
    name,
    namespace: args.namespace ?? defaultNamespace,
    selector,
    labels,
    ...(annotations && { annotations }),
    meta: (suffix, namespace) => ({
      name: name(suffix),
      ...(namespace !== undefined && { namespace }),
      labels,
      ...(annotations && { annotations }),
    }),
  };
}
