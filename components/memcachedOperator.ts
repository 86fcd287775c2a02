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
 * Installs the Memcached operator: the CustomResourceDefinition, its namespace, its ServiceAccount with only the
 * permissions that it needs, and the controller. Add it to `dependsOn` of caches in the same program, so that they are
 * created after it and deleted before it.
 *
 * ```ts
 * const operator = new MemcachedOperator("memcached-operator", { image: "registry.example.com/memcached-operator:0.1.0" });
 * ```
 *
 * An operator belongs to one stack. The annotation `cache.example.com/installed-by` of its Namespace and ClusterRoles has
 * the stack's name. A second operator with the same names fails before it changes anything, unless `patchForce` is true.
 * For a cache in the operator's own namespace, set `namespace: operator.namespace`; it is recreated if the namespace is
 * replaced.
 *
 * On destroy the CustomResourceDefinition stays in the cluster, because deleting it deletes every cache; `retainCrds: false`
 * deletes it. The next install takes it over. The Kubernetes provider 4.29 and later requires its option
 * `upsertExistingObjects` for that, and otherwise fails with "already exists"; or set `installCrds: false`.
 */
export class MemcachedOperator extends ComponentResource {
  /** Namespace of the operator. */
  readonly namespace: Output<string>;
  /** Image of the operator. */
  readonly image: Output<string>;
  /** Name of the controller's Deployment. */
  readonly deploymentName: Output<string>;
  /** Name of the operator's ServiceAccount. */
  readonly serviceAccountName: Output<string>;

  /**
   * @param name the Pulumi name; the objects' names come from `args.namePrefix`
   * @param args how the operator is installed; `image` is required
   * @param opts Pulumi's options; `provider` selects the cluster
   * @throws before anything is registered, if an argument is invalid; the message names it
   */
  constructor(name: string, args: MemcachedOperatorArgs, opts?: ComponentResourceOptions) {
    validateMemcachedOperator(name, args, opts);
    super("memcached:index:MemcachedOperator", name, args, opts);
    warnIfUnreached(this);

    const force = args.patchForce ? { "pulumi.com/patchForce": "true" } : undefined;
    const manifests = operatorManifests(args).map((m) => (force ? annotated(m, force) : m));
    const of = (...kinds: string[]) => manifests.filter((m) => kinds.includes(m.kind));
    // All names are fixed, so a replacement must be created after the deletion of the old object.
    const create = (m: KubeManifest, dependsOn: Resource[], namespace?: Input<string>, more?: CustomResourceOptions) =>
      createObject(childName(name, args, m), namespace === undefined ? m : inNamespace(m, namespace), {
        parent: this,
        dependsOn,
        deleteBeforeReplace: true,
        ...more,
      });

    // An install with names that are in use fails at one of these two, before it changes anything else.
    const owner = ownerOf(name);
    const createOwned = (m: KubeManifest, dependsOn: Resource[]) =>
      create(owned(m, owner), dependsOn, undefined, ownedOptions);
    const [mark, ...clusterRoles] = of("ClusterRole").reverse();
    const marked = createOwned(mark!, []);
    const [ownNamespace] = of("Namespace").map((m) => createOwned(m, [marked]));
    const first = [ownNamespace ?? marked];

    // Objects in the namespace are deleted with it, so they are replaced with it.
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
    // Tokens of running pods become invalid with their ServiceAccount.
    const [deployment] = of("Deployment").map((m) =>
      create(args.skipAwait ? unawaited(m) : m, [...crd, ...bindings], replacedWith(home, account), {
        customTimeouts: customTimeouts(args.readyTimeout),
      }),
    );
    // Nothing in the stack uses the metrics, so an update does not wait for their endpoints.
    of("Service").forEach((m) => create(unawaited(m), first, inside(m)));

    // The outputs depend on the running operator, so that resources which use them are created after it.
    const whenRunning = (value: Input<string>) => output(replacedWith(value, deployment));
    const controller = whenRunning(`${args.namePrefix ?? defaultPrefix}controller-manager`);
    const outputs = {
      // A cache in the operator's namespace depends on the namespace, but not on the controller.
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
 * The Pulumi name of a child: its object's name without the prefix, so that it stays if the prefix changes. Objects for a watched
 * namespace have the namespace's name, or its index while the name is unknown.
 */
function childName(name: string, args: MemcachedOperatorArgs, { kind, metadata }: KubeManifest): string {
  if (kind === "Namespace") return `${name}-namespace`;
  const suffix = String(metadata.name).slice((args.namePrefix ?? defaultPrefix).length);
  if (!args.watchNamespaces || !suffix.startsWith("manager-role")) return `${name}-${suffix}`;
  const namespace = metadata.namespace!;
  return `${name}-${suffix}-${typeof namespace === "string" ? namespace : args.watchNamespaces.indexOf(namespace)}`;
}

/** The value as an output of the resource: objects with this name or namespace are replaced with the resource. */
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
