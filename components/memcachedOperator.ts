import { all, ComponentResource, output } from "@pulumi/pulumi";
import type { ComponentResourceOptions, CustomResourceOptions, Input, Output, Resource } from "@pulumi/pulumi";
import { installCrd } from "./crd";
import { customTimeouts } from "./duration";
import { createObject } from "./kubeObjects";
import { lift } from "./lift";
import { defaultNamespace, defaultPrefix, operatorManifests } from "./manifests";
import type { KubeManifest } from "./manifests";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";
import { validateMemcachedOperator } from "./memcachedOperatorValidation";
import { warnIfUnreached } from "./unreached";

/**
 * Installs the Memcached operator: the CustomResourceDefinition, its namespace, its account with no more rights than
 * it uses, and the controller. Caches that are made in the same program name it in `dependsOn`, so that they come
 * after it and go before it.
 *
 * ```ts
 * const operator = new MemcachedOperator("memcached-operator", { image: "registry.example.com/memcached-operator:0.1.0" });
 * ```
 *
 * The CustomResourceDefinition stays in the cluster on destroy unless `retainCrds` is false: with it would go every
 * cache of the cluster. The next install takes it over; releases of the Kubernetes provider from 4.29 on do that only with
 * `upsertExistingObjects` of the provider, without which they say that it "already exists". Or set `installCrds: false`.
 */
export class MemcachedOperator extends ComponentResource {
  /** Namespace the operator runs in. */
  readonly namespace: Output<string>;
  /** Image the operator runs. */
  readonly image: Output<string>;
  /** Name of the controller's Deployment. */
  readonly deploymentName: Output<string>;
  /** Name of the ServiceAccount that holds the operator's rights. */
  readonly serviceAccountName: Output<string>;

  /**
   * @param name the Pulumi name; the objects' names come from `args.namePrefix`
   * @param args how the operator is installed; `image` is required
   * @param opts Pulumi's options; `provider` says which cluster
   * @throws before anything is registered, when an argument is out of bounds: the sentence names it
   */
  constructor(name: string, args: MemcachedOperatorArgs, opts?: ComponentResourceOptions) {
    validateMemcachedOperator(name, args);
    super("memcached:index:MemcachedOperator", name, args, opts);
    warnIfUnreached(this);

    const crd = (args.installCrds ?? true) ? [installCrd(name, args, this)] : [];
    const force = args.patchForce ? { "pulumi.com/patchForce": "true" } : undefined;
    const manifests = operatorManifests(args).map((m) => (force ? annotated(m, force) : m));
    const of = (...kinds: string[]) => manifests.filter((m) => kinds.includes(m.kind));
    const create = (manifest: KubeManifest, dependsOn: Resource[], extra?: CustomResourceOptions) =>
      createObject(childName(name, args, manifest), manifest, { parent: this, dependsOn, ...extra });

    const namespace = of("Namespace").map((m) => create(m, []));
    const accounts = of("ServiceAccount").map((m) => create(m, namespace));
    const roles = of("ClusterRole", "Role").map((m) => create(m, namespace));
    const bindings = of("ClusterRoleBinding", "RoleBinding").map((m) => create(m, [...accounts, ...roles]));
    const deployments = of("Deployment").map((m) =>
      create(args.skipAwait ? unawaited(m) : m, [...crd, ...bindings], {
        customTimeouts: customTimeouts(args.readyTimeout),
      }),
    );
    // Nothing in the stack reaches the metrics: waiting for their endpoints would only hold up, or hang, an update.
    of("Service").forEach((m) => create(unawaited(m), namespace));

    // Outputs are there when the operator is, so that what takes them comes after it.
    const whenRunning = <T>(value: Input<T>) => all([output(value), deployments[0]!.urn]).apply(([v]) => v as T);
    this.namespace = whenRunning(args.namespace ?? defaultNamespace);
    this.image = whenRunning(args.image);
    this.deploymentName = whenRunning(`${args.namePrefix ?? defaultPrefix}controller-manager`);
    this.serviceAccountName = whenRunning(`${args.namePrefix ?? defaultPrefix}controller-manager`);
    this.registerOutputs({
      namespace: this.namespace,
      image: this.image,
      deploymentName: this.deploymentName,
      serviceAccountName: this.serviceAccountName,
    });
  }
}

/**
 * Children are called after their objects, without the prefix: the Pulumi names then stay when the prefix changes. What
 * there is one of for each watched namespace carries its name, or its place in the list while the name is unknown.
 */
function childName(name: string, args: MemcachedOperatorArgs, { kind, metadata }: KubeManifest): string {
  if (kind === "Namespace") return `${name}-namespace`;
  const suffix = String(metadata.name).slice((args.namePrefix ?? defaultPrefix).length);
  if (!args.watchNamespaces || !suffix.startsWith("manager-role")) return `${name}-${suffix}`;
  const namespace = metadata.namespace!;
  return `${name}-${suffix}-${typeof namespace === "string" ? namespace : args.watchNamespaces.indexOf(namespace)}`;
}

const unawaited = (manifest: KubeManifest) => annotated(manifest, { "pulumi.com/skipAwait": "true" });

function annotated(manifest: KubeManifest, more: { [key: string]: string }): KubeManifest {
  const annotations = lift(manifest.metadata.annotations ?? {}, (given) => ({ ...given, ...more }));
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
