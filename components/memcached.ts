import { all, ComponentResource } from "@pulumi/pulumi";
import type { ComponentResourceOptions, Output } from "@pulumi/pulumi";
import { defaults, firstSize } from "../api";
import { customTimeouts } from "./duration";
import { Workload } from "./generated/memcachedArgs";
import { specOf } from "./memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import { MemcachedResource, resourceMetadata } from "./memcachedResource";
import { checkedSpec, validateMemcached } from "./memcachedValidation";
import { warnIfUnreached } from "./unreached";

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
 * `size` left out is not sent, so that `kubectl scale` or an autoscaler can own it. `size` given is what the cache
 * gets, whoever changed it in between.
 */
export class Memcached extends ComponentResource {
  /** Name of the resource, of its Deployment and of its Service. */
  readonly name: Output<string>;
  /** Namespace of the cache. */
  readonly namespace: Output<string>;
  /** DNS name inside the cluster that resolves to all servers. */
  readonly host: Output<string>;
  /** Port the servers listen on. */
  readonly port: Output<number>;
  /** What a client is given: `host:port` of each server or of the Service in front of them. */
  readonly servers: Output<string[]>;
  /**
   * Names of the pods that serve the cache at the end of the update, sorted. They change whenever Kubernetes replaces
   * a pod: for people to look at, not for other resources to depend on.
   */
  readonly nodes: Output<string[]>;

  /**
   * @param name the Pulumi name, and the start of the resource's own name when `args.name` is left out
   * @param args what the cache is made of
   * @param opts Pulumi's options; `dependsOn: operator` when the operator is in the same program
   * @throws before anything is registered, when an argument is out of bounds: the sentence names it
   */
  constructor(name: string, args: MemcachedArgs = {}, opts?: ComponentResourceOptions) {
    validateMemcached(name, args);
    super("memcached:index:Memcached", name, args, opts);
    warnIfUnreached(this);

    const spec = checkedSpec(name, specOf(args));
    const resource = new MemcachedResource(name, resourceMetadata(args), spec, {
      parent: this,
      customTimeouts: customTimeouts(args.readyTimeout),
    });

    this.name = resource.metadata.name;
    this.namespace = resource.metadata.namespace;
    this.host = resource.metadata.apply((m) => `${m.name}.${m.namespace}.svc`);
    this.port = all([args.port ?? defaults.port, this.name]).apply(([port]) => port);
    // There is no status where nothing is waited for, nor where the provider only renders YAML.
    const stable = all([args.workload, args.size]).apply(([workload, size]) => serverNames(workload, size));
    this.servers = all([resource.status, this.name, this.host, this.port, stable]).apply(
      ([status, ownName, host, port, suffixes]) =>
        status?.servers?.length ? status.servers : suffixes.map((suffix) => address(ownName, suffix, host, port)),
    );
    this.nodes = resource.status.apply((status) => status?.nodes ?? []);
    this.registerOutputs({
      name: this.name,
      namespace: this.namespace,
      host: this.host,
      port: this.port,
      servers: this.servers,
      nodes: this.nodes,
    });
  }
}

/** What tells the servers apart: "-0", "-1" of a StatefulSet; the pods of a Deployment have one name. */
function serverNames(workload: string | undefined, size: number | undefined): string[] {
  if (workload !== Workload.StatefulSet) return [""];
  return Array.from({ length: size ?? firstSize }, (_, i) => `-${i}`);
}

const address = (name: string, suffix: string, host: string, port: number) =>
  suffix ? `${name}${suffix}.${host}:${port}` : `${host}:${port}`;
