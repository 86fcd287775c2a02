/** Reads all that is there and tells what of it is not right. */
import { namespaces, deploymentsOf, memcachedsOf, servicesOf } from "./model";
import { type Deployment, type Memcached, type Seen, type Service, wrongsOf } from "./rightness";
import type { World } from "./world";

/** In sentences, each with the name of the resource. */
export async function inspect({ client, model }: World): Promise<string[]> {
  const seen = new Map<string, Seen>();
  const of = (namespace: string, name: string): Seen => {
    const id = `${namespace}/${name}`;
    const known = seen.get(id) ?? {};
    seen.set(id, known);
    return known;
  };
  for (const namespace of namespaces) {
    const [memcacheds, deployments, services] = await Promise.all([
      client.list<Memcached>(memcachedsOf(namespace)),
      client.list<Deployment>(deploymentsOf(namespace)),
      client.list<Service>(servicesOf(namespace)),
    ]);
    for (const memcached of memcacheds) of(namespace, memcached.metadata.name).memcached = memcached;
    for (const deployment of deployments) of(namespace, deployment.metadata.name).deployment = deployment;
    for (const service of services) of(namespace, service.metadata.name).service = service;
  }
  const wrong = model.caches.flatMap((cache) =>
    wrongsOf(cache, seen.get(cache.id) ?? {}).map((each) => `${cache.id}: ${each}`),
  );
  const known = new Set(model.caches.map(({ id }) => id));
  const others = [...seen.keys()].filter((id) => !known.has(id)).map((id) => `${id}: nobody asked for it`);
  return [...wrong, ...others];
}
