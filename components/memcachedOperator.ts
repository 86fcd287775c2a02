import { all, ComponentResource, output } from "@pulumi/pulumi";
import type { ComponentResourceOptions, CustomResourceOptions, Input, Output, Resource } from "@pulumi/pulumi";
import { installCrd } from "./crd";
import { customTimeouts } from "./duration";
import { createObject } from "./kubeObjects";
import { lift } from "./lift";
import { defaultNamespace, defaultPrefix, operatorManifests } from "./manifests";
import type { KubeManifest } from "./manifests";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";
import { validateMemcachedOperator } from "./operatorSchema";
import { owned, ownedOptions, ownerOf } from "./owner";
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
 * An operator belongs to one stack, which its Namespace and ClusterRoles say in the annotation `cache.example.com/installed-by`: an operator
 * under the same names, of another stack or of the same, is refused before it touches anything, unless `patchForce` takes all of it over. A
 * cache in the operator's own namespace takes `namespace: operator.namespace`, and is made anew when the namespace is replaced.
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
    validateMemcachedOperator(name, args, opts);
    super("memcached:index:MemcachedOperator", name, args, opts);
    warnIfUnreached(this);

    const force = args.patchForce ? { "pulumi.com/patchForce": "true" } : undefined;
    const manifests = operatorManifests(args).map((m) => (force ? annotated(m, force) : m));
    const of = (...kinds: string[]) => manifests.filter((m) => kinds.includes(m.kind));
    // All names are fixed: whatever is made before its namesake is deleted would be deleted in its place.
    const create = (m: KubeManifest, dependsOn: Resource[], namespace?: Input<string>, more?: CustomResourceOptions) =>
      createObject(childName(name, args, m), namespace === undefined ? m : inNamespace(m, namespace), {
        parent: this,
        dependsOn,
        deleteBeforeReplace: true,
        ...more,
      });

    // Whoever installs under names that are taken is turned away at one of these two, before anything else is touched.
    const owner = ownerOf(name);
    const createOwned = (m: KubeManifest, dependsOn: Resource[]) =>
      create(owned(m, owner), dependsOn, undefined, ownedOptions);
    const [mark, ...clusterRoles] = of("ClusterRole").reverse();
    const marked = createOwned(mark!, []);
    const [ownNamespace] = of("Namespace").map((m) => createOwned(m, [marked]));
    const first = [ownNamespace ?? marked];

    // What lies in the namespace goes with it, and so it is replaced with it.
    const home = replacedWith(args.namespace ?? defaultNamespace, ownNamespace);
    const inside = (m: KubeManifest) =>
      m.metadata.namespace === (args.namespace ?? defaultNamespace) ? home : undefined;
    const crd =
      (args.installCrds ?? true)
        ? [installCrd(name, args, { parent: this, dependsOn: first, retainOnDelete: opts?.retainOnDelete })]
        : [];
    const [account] = of("ServiceAccount").map((m) => create(m, first, inside(m)));
    const roles = [...clusterRoles, ...of("Role")].map((m) => create(m, first, inside(m)));
    const bindings = of("ClusterRoleBinding", "RoleBinding").map((m) =>
      create(m, [account!, marked, ...roles], inside(m)),
    );
    // The tokens of running pods end with the account that they were given for.
    const [deployment] = of("Deployment").map((m) =>
      create(args.skipAwait ? unawaited(m) : m, [...crd, ...bindings], replacedWith(home, account), {
        customTimeouts: customTimeouts(args.readyTimeout),
      }),
    );
    // Nothing in the stack reaches the metrics: waiting for their endpoints would only hold up, or hang, an update.
    of("Service").forEach((m) => create(unawaited(m), first, inside(m)));

    // The outputs are there when the operator is, so that what takes them comes after it.
    const whenRunning = (value: Input<string>) => output(replacedWith(value, deployment));
    const controller = whenRunning(`${args.namePrefix ?? defaultPrefix}controller-manager`);
    const outputs = {
      // A cache in the operator's namespace goes with it, but not with the controller.
      namespace: output(replacedWith(home, crd[0])),
      image: whenRunning(args.image),
      deploymentName: controller,
      serviceAccountName: controller,
    };
    ({ namespace: this.namespace, image: this.image } = outputs);
    ({ deploymentName: this.deploymentName, serviceAccountName: this.serviceAccountName } = outputs);
    this.registerOutputs(outputs);
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

/** The value, with the mark that it comes from the resource: what takes it for a name or a namespace is replaced with that. */
function replacedWith(value: Input<string>, resource: Resource | undefined): Input<string> {
  return resource ? all([value, resource.urn]).apply(([v]) => v) : value;
}

const inNamespace = (manifest: KubeManifest, namespace: Input<string>): KubeManifest => ({
  ...manifest,
  metadata: { ...manifest.metadata, namespace },
});

const unawaited = (manifest: KubeManifest) => annotated(manifest, { "pulumi.com/skipAwait": "true" });

function annotated(manifest: KubeManifest, more: { [key: string]: string }): KubeManifest {
  const annotations = lift(manifest.metadata.annotations ?? {}, (given) => ({ ...given, ...more }));
  return { ...manifest, metadata: { ...manifest.metadata, annotations } };
}
