import { all, output, runtime, unknown } from "@pulumi/pulumi";
import type { Input, Output } from "@pulumi/pulumi";
import { clusterDomainIn, defaultClusterDomain, defaults, firstSize, hostName, serverAddresses } from "../api";
import type { MemcachedStatus } from "../api";
import { Workload } from "./generated/memcachedArgs";
import type { MemcachedArgs } from "./memcachedArgs";
import type { MemcachedResource } from "./memcachedResource";
import { clusterDomain } from "./validation/forms";
import { problemsOf } from "./validation/schema";
import { refuse } from "./validation/values";

/** The address outputs of a cache. */
export interface Addresses {
  name: Output<string>;
  namespace: Output<string>;
  host: Output<string>;
  port: Output<number>;
  servers: Output<string[]>;
}

/**
 * The addresses of a cache, from its arguments, because in a preview its status is older than the change. They depend on the resource,
 * so that resources which use them are created after it.
 *
 * @throws RunError in an update, if the operator uses another domain than `clusterDomain`
 */
export function addressesOf(pulumiName: string, args: MemcachedArgs, resource: MemcachedResource): Addresses {
  // In a preview the resource is unknown if the provider reaches no cluster, or if one argument is unknown.
  const given: Pick<MemcachedArgs, "name" | "namespace"> = runtime.isDryRun() ? args : {};
  const when = <T>(value: Input<T>) => all([value, resource.urn]).apply(([known]) => known as T);
  const name = when(given.name ?? resource.metadata.name);
  const namespace = when(given.namespace ?? resource.metadata.namespace.apply(namespaceOr));
  const port = when(output(args.port).apply((port) => port ?? defaults.port));
  const size = sizeOf(args, resource);
  const place = all([name, namespace, clusterDomainOf(pulumiName, args, resource)]).apply(
    ([name, namespace, clusterDomain]) => ({ name, namespace, clusterDomain }),
  );
  return {
    name,
    namespace,
    port,
    host: place.apply(hostName),
    servers: all([place, port, args.workload, size]).apply(([place, port, workload, size]) =>
      serverAddresses(place, { port, size, workload: workload ?? defaults.workload }),
    ),
  };
}

/** The status. Unknown in a preview that changes the spec, because there it is older than the change. */
export function statusOf(resource: MemcachedResource): Output<MemcachedStatus | undefined> {
  if (!runtime.isDryRun()) return resource.status;
  return all([resource.status, resource.metadata]).apply(([status, { generation }]) =>
    status?.observedGeneration === generation ? output(status) : notYet(),
  );
}

/** The size of a StatefulSet. The address of a Deployment does not depend on its size, which may be unknown. */
function sizeOf(args: MemcachedArgs, resource: MemcachedResource): Output<number> {
  return all([args.workload, args.size]).apply(([workload, size]) => {
    if (workload !== Workload.StatefulSet) return output(firstSize);
    return size === undefined || size === null ? runningSize(resource) : output(size);
  });
}

/** The size that someone else has set, or that the operator fills in after it was removed from the arguments. */
function runningSize({ spec, status }: MemcachedResource): Output<number> {
  if (runtime.isDryRun()) return spec.apply(({ size }) => (size === undefined ? notYet() : output(size)));
  return all([spec, status]).apply(([{ size }, status]) => size ?? status?.servers?.length ?? firstSize);
}

/** If the provider does not report the namespace: unknown in a preview; rendered YAML is for the default namespace. */
const namespaceOr = (name: string | undefined) => name ?? (runtime.isDryRun() ? notYet() : "default");

const notYet = () => output(unknown) as never;

/** The domain of the arguments. An update checks it against the operator's. */
function clusterDomainOf(pulumiName: string, args: MemcachedArgs, resource: MemcachedResource): Output<string> {
  const given = output(args.clusterDomain).apply((domain) => {
    refuse("Memcached", pulumiName, problemsOf("clusterDomain", clusterDomain, domain));
    return domain ?? defaultClusterDomain;
  });
  if (runtime.isDryRun()) return given;
  return all([given, resource.metadata, resource.status]).apply(([domain, metadata, status]) => {
    const [found] = (status?.servers ?? []).flatMap((address) => clusterDomainIn(address, metadata) ?? []);
    const wrong = found !== undefined && found !== domain;
    refuse("Memcached", pulumiName, wrong ? [mismatch(domain, found)] : []);
    return domain;
  });
}

const mismatch = (given: string, found: string) =>
  `clusterDomain is "${given}", but the operator uses "${found}" (see status.servers): ` +
  `give clusterDomain "${found}", or start the operator with --cluster-domain=${given} and run pulumi up --refresh`;
