import { Deployment } from "@pulumi/kubernetes/apps/v1";
import { Namespace, Service, ServiceAccount } from "@pulumi/kubernetes/core/v1";
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from "@pulumi/kubernetes/rbac/v1";
import type { CustomResource, CustomResourceOptions } from "@pulumi/pulumi";
import type { KubeManifest } from "./manifests";

type Constructor = new (name: string, args: never, opts: CustomResourceOptions) => CustomResource;

/** Typed resources can be previewed without a cluster, and Pulumi waits for them. */
const constructors: { [kind: string]: Constructor } = {
  ClusterRole,
  ClusterRoleBinding,
  Deployment,
  Namespace,
  Role,
  RoleBinding,
  Service,
  ServiceAccount,
};

/** Registers a manifest as the typed resource of its kind. */
export function createObject(name: string, manifest: KubeManifest, opts: CustomResourceOptions): CustomResource {
  const constructor = constructors[manifest.kind];
  if (!constructor) throw new Error(`no resource class for kind ${manifest.kind}`);
  return new constructor(name, manifest as never, opts);
}
