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
 * A memcached cache, run by the operator that `MemcachedOperator` installs. `pulumi up` is done when the cache is
 * ready as it is now defined; when it cannot become ready within `readyTimeout`, the update fails and the operator's
 * warnings say why.
 *
 * ```ts
 * const cache = new Memcached("sessions", { size: 3, memory: "256Mi" }, { dependsOn: operator });
 * export const servers = cache.servers;
 * ```
 *
 * Pulumi's options mean the resource, as if there were no component around it: `ignoreChanges: ["size"]`, `replaceOnChanges`, `customTimeouts`
 * (unless `readyTimeout` is given), `additionalSecretOutputs: ["nodes"]`, `deleteBeforeReplace` (true unless told otherwise where `name` is given),
 * `import: "NAMESPACE/NAME"`, `protect`, `retainOnDelete` and the others.
 *
 * `size` left out is not sent, so that `kubectl scale` or an autoscaler can own it. `size` given is what the cache
 * gets, whoever changed it in between.
 */
export class Memcached extends ComponentResource {
  /** Name of the resource, of its Deployment and of its Service. */
  readonly name: Output<string>;
  /** Namespace of the cache. */
  readonly namespace: Output<string>;
  /** DNS name inside the cluster, in full, that resolves to all servers. */
  readonly host: Output<string>;
  /** Port the servers listen on. */
  readonly port: Output<number>;
  /**
   * What a client is given: `host:port` of each server of a StatefulSet, or of the Service in front of a Deployment's. A
   * preview knows them, as it does `host` and `port`, where it knows what they are made of.
   */
  readonly servers: Output<string[]>;
  /**
   * Names of the pods that serve the cache at the end of the update, sorted. They change whenever Kubernetes replaces
   * a pod: for people to look at, not for other resources to depend on.
   */
  readonly nodes: Output<string[]>;

  /**
   * @param name the Pulumi name, and the start of the resource's own name when `args.name` is left out
   * @param args what the cache is made of
   * @param opts Pulumi's options, which mean the resource; `dependsOn: operator` when the operator is in the same program
   * @throws before anything is registered, when an argument or option is out of bounds: the sentence names it
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
