/** Keeps edits coming at a steady pace until told to stop. */
import { setTimeout as sleep } from "node:timers/promises";
import { inParallel } from "../field";
import { editOnce } from "./edits";
import { type Cache, FLEETING, namespaces } from "./model";
import type { Random } from "../random";
import { type World, create } from "./world";

/** Edits begun a second: about half of what two cores carry, with API server, etcd and operators on them. */
const PACE = 20;
/** While the API server is away edits wait, and no more than these begin. */
const AT_ONCE = 32;
/** How long the namespace that comes and goes is left alone between two deletions. */
const NAMESPACE_RESTS_MS = 30_000;
const NAMESPACE_GOES_MS = 180_000;

export async function plant(world: World, random: Random): Promise<void> {
  for (const name of namespaces) await world.client.ask("POST", "/api/v1/namespaces", { metadata: { name } });
  await inParallel(world.model.caches, (cache) => create(world, cache, random));
}

/** Resolves when `stop` has aborted and every edit under way is done. */
export async function edit(world: World, random: Random, stop: AbortSignal): Promise<void> {
  await Promise.all([editCaches(world, random.fork(), stop), recycleNamespace(world, random.fork(), stop)]);
}

async function editCaches(world: World, random: Random, stop: AbortSignal): Promise<void> {
  const under = new Set<Promise<void>>();
  const began = performance.now();
  for (let begun = 0; !stop.aborted;) {
    const due = ((performance.now() - began) / 1000) * PACE;
    // What an outage has kept back is not made up for.
    if (begun < due - PACE) begun = Math.floor(due);
    if (begun >= due || under.size >= AT_ONCE) {
      await sleep(20);
      continue;
    }
    begun++;
    const cache = random.pick(world.model.caches);
    const own = random.fork();
    if (cache.busy) continue;
    const done: Promise<void> = editOnce(world, cache, own).finally(() => under.delete(done));
    under.add(done);
  }
  await Promise.all(under);
}

async function recycleNamespace(world: World, random: Random, stop: AbortSignal): Promise<void> {
  const caches = world.model.caches.filter(({ namespace }) => namespace === FLEETING);
  const rest = () => sleep(NAMESPACE_RESTS_MS, undefined, { signal: stop }).catch(() => undefined);
  for (await rest(); !stop.aborted; await rest()) {
    try {
      await recycle(world, caches, random.fork());
    } catch (error) {
      world.model.wrong.push(`namespace ${FLEETING}: ${(error as Error).message}`);
    }
  }
}

async function recycle(world: World, caches: Cache[], random: Random): Promise<void> {
  const { client, model } = world;
  const path = `/api/v1/namespaces/${FLEETING}`;
  const held: Cache[] = [];
  try {
    for (const cache of caches) {
      while (cache.busy) await sleep(50);
      cache.busy = true;
      held.push(cache);
    }
    await client.ask("DELETE", path);
    for (const cache of caches) {
      if (cache.spec) model.note("namespace deleted", cache);
      cache.spec = undefined;
    }
    const end = performance.now() + NAMESPACE_GOES_MS;
    while (await client.find("GET", path)) {
      if (performance.now() > end) throw new Error(`it was not gone ${NAMESPACE_GOES_MS / 1000} s after its deletion`);
      await sleep(200);
    }
    await client.ask("POST", "/api/v1/namespaces", { metadata: { name: FLEETING } });
    await inParallel(caches, (cache) => create(world, cache, random));
  } finally {
    for (const cache of held) cache.busy = false;
  }
}
