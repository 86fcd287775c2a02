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

/** Where a cache is found. */
export interface Addresses {
  name: Output<string>;
  namespace: Output<string>;
  host: Output<string>;
  port: Output<number>;
  servers: Output<string[]>;
}

/**
 * The addresses of a cache, from what it is given and not from its status, which in a preview is the one of before the change. They are
 * there when the resource is, so that what takes them comes after it.
 *
 * @throws RunError in an update, when the operator's addresses end in another domain than `clusterDomain`
 */
export function addressesOf(pulumiName: string, args: MemcachedArgs, resource: MemcachedResource): Addresses {
  // The provider tells a preview nothing of the resource when it reaches no cluster, or one argument is unknown.
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

/** The status, unknown in a preview that changes the spec: there it still is the one of before. */
export function statusOf(resource: MemcachedResource): Output<MemcachedStatus | undefined> {
  if (!runtime.isDryRun()) return resource.status;
  return all([resource.status, resource.metadata]).apply(([status, { generation }]) =>
    status?.observedGeneration === generation ? output(status) : notYet(),
  );
}

/** The servers of a StatefulSet; those of a Deployment have one name whatever their number, which may be unknown. */
function sizeOf(args: MemcachedArgs, resource: MemcachedResource): Output<number> {
  return all([args.workload, args.size]).apply(([workload, size]) => {
    if (workload !== Workload.StatefulSet) return output(firstSize);
    return size === undefined || size === null ? runningSize(resource) : output(size);
  });
}

/** The size that someone else gives. One that is taken out of the arguments is the operator's to fill in, after a preview. */
function runningSize({ spec, status }: MemcachedResource): Output<number> {
  if (runtime.isDryRun()) return spec.apply(({ size }) => (size === undefined ? notYet() : output(size)));
  return all([spec, status]).apply(([{ size }, status]) => size ?? status?.servers?.length ?? firstSize);
}

/** Where the provider does not say its namespace: a preview does not know it, and rendered YAML is for kubectl's default one. */
const namespaceOr = (name: string | undefined) => name ?? (runtime.isDryRun() ? notYet() : "default");

const notYet = () => output(unknown) as never;

/** The domain that is given, checked against the operator's in an update, which knows it. */
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
  `clusterDomain is "${given}", and the operator takes "${found}" for the cluster's domain (status.servers): ` +
  `give clusterDomain "${found}", or start the operator with --cluster-domain=${given} and run pulumi up --refresh`;
