/** Someone else's object takes the name of a child, and leaves again. */
import { setTimeout as sleep } from "node:timers/promises";
import { waitFor } from "../../cluster/wait";
import type { KubeObject } from "./client";
import { type Cache, deploymentsOf, servicesOf } from "./model";
import type { Memcached } from "./rightness";
import { type Edit, create, remove } from "./world";

/** Restarts of the API server and changes of the leader may come in between, and a resource that fails waits for up to 72 s. */
const LIMIT_MS = 240_000;

export const foreign: Edit = {
  name: "name taken",
  weight: 3,
  run: async (world, cache, random) => {
    const { client, model } = world;
    await remove(world, cache, "Background");
    const [path, collection, body] =
      random.next() < 0.5
        ? [cache.deployment, deploymentsOf(cache.namespace), someDeployment(cache)]
        : [cache.service, servicesOf(cache.namespace), someService(cache)];
    const gone = async (child: string) => (await client.find("GET", child)) === undefined;
    // A new leader that has yet to hear of the deletion may make a child once more, which is collected like the others.
    await waitFor(`the children of ${cache.id} to go`, { limitMs: LIMIT_MS, everyMs: 300 }, async () => {
      if (!(await gone(cache.deployment)) || !(await gone(cache.service))) return false;
      await client.ask("POST", collection, body);
      return true;
    });
    const before = await client.ask<KubeObject>("GET", path);
    model.note("name taken", cache);
    await create(world, cache, random);
    await waitFor(`${cache.id} to say ResourceConflict`, { limitMs: LIMIT_MS, everyMs: 300 }, async () => {
      const { status } = await client.ask<Memcached>("GET", cache.memcached);
      return status?.conditions?.some(({ reason }) => reason === "ResourceConflict");
    });
    await sleep(random.between(0, 2_000));
    const after = await client.find<KubeObject>("GET", path);
    if (after?.metadata.resourceVersion !== before.metadata.resourceVersion)
      model.wrong.push(`${cache.id}: someone else's object of that name was touched`);
    await client.ask("DELETE", path);
    model.note("name free again", cache);
  },
};

function someDeployment({ name }: Cache): object {
  const labels = { app: "someone-else" };
  const template = { metadata: { labels }, spec: { containers: [{ name: "app", image: "app" }] } };
  return { metadata: { name, labels }, spec: { replicas: 1, selector: { matchLabels: labels }, template } };
}

const someService = ({ name }: Cache): object => ({
  metadata: { name, labels: { app: "someone-else" } },
  spec: { selector: { app: "someone-else" }, ports: [{ port: 80 }] },
});
