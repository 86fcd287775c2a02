import { ComponentResource } from "@pulumi/pulumi";
import type { Output } from "@pulumi/pulumi";
import { addressesOf, statusOf } from "./addresses";
import { specOf } from "./memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import { splitOptions } from "./memcachedOptions";
import type { MemcachedOptions } from "./memcachedOptions";
import { MemcachedResource, resourceMetadata } from "./memcachedResource";
import { checkedSpec, validateMemcached } from "./memcachedValidation";
import { warnIfUnreached } from "./unreached";
import { makeUsers, withNamedUsers, withSecretUsers } from "./users";

/**
 * A memcached cache, which the operator of `MemcachedOperator` runs. `pulumi up` waits until the cache is ready with its current
 * definition. If it is not ready within `readyTimeout`, the update fails, and the operator's warnings say why.
 *
 * ```ts
 * const cache = new Memcached("sessions", { size: 3, memory: "256Mi" }, { dependsOn: operator });
 * export const servers = cache.servers;
 * ```
 *
 * Pulumi's options apply to the resource inside the component: `ignoreChanges: ["size"]`, `replaceOnChanges`, `customTimeouts` (not
 * together with `readyTimeout`), `additionalSecretOutputs: ["nodes"]`, `deleteBeforeReplace` (default: true if `name` is given),
 * `import: "NAMESPACE/NAME"`, `protect`, `retainOnDelete` and the others.
 *
 * Without `size`, the program does not send it, so that `kubectl scale` or an autoscaler can own it. With `size`, the cache gets
 * that size, even if someone else has changed it.
 */
export class Memcached extends ComponentResource {
  /** Name of the resource, of its Deployment and of its Service. */
  readonly name: Output<string>;
  /** Namespace of the cache. */
  readonly namespace: Output<string>;
  /** Full DNS name inside the cluster that resolves to all servers. */
  readonly host: Output<string>;
  /** Port of the servers. */
  readonly port: Output<number>;
  /**
   * Addresses for clients, as `host:port`: one for each server of a StatefulSet, or one of the Service for a Deployment. A preview
   * knows them, and `host` and `port`, if it knows the arguments that they depend on.
   */
  readonly servers: Output<string[]>;
  /**
   * Sorted names of the cache's pods at the end of the update. They change whenever Kubernetes replaces a pod, so other resources
   * should not depend on them.
   */
  readonly nodes: Output<string[]>;

  /**
   * @param name the Pulumi name, and the start of the resource's own name when `args.name` is left out
   * @param args the fields of the cache, and how Pulumi creates it
   * @param opts Pulumi's options, which apply to the resource; `dependsOn: operator` if the operator is in the same program
   * @throws before anything is registered, if an argument or option is invalid; the message names it
   */
  constructor(name: string, args: MemcachedArgs = {}, opts?: MemcachedOptions) {
    validateMemcached(name, args, opts);
    const options = splitOptions(args, opts);
    super("memcached:index:Memcached", name, withSecretUsers(args), options.component);
    warnIfUnreached(this);

    const users = makeUsers(name, args, this);
    const spec = checkedSpec(name, specOf(withNamedUsers(name, args)));
    const resource = new MemcachedResource(name, resourceMetadata(args), spec, {
      parent: this,
      ...(users.length > 0 && { dependsOn: users }),
      ...options.resource,
    });

    const outputs = {
      ...addressesOf(name, args, resource),
      nodes: statusOf(resource).apply((status) => status?.nodes ?? []),
    };
    ({ name: this.name, namespace: this.namespace, host: this.host, port: this.port } = outputs);
    ({ servers: this.servers, nodes: this.nodes } = outputs);
    this.registerOutputs(outputs);
  }
}
