/** What users do to a resource and its children, one after the other and all at once. */
import { mergePatch } from "../../cluster/apiClient";
import { drift } from "./drift";
import { foreign } from "./foreign";
import { type Cache, type Spec, randomImage, randomMemory, randomPort } from "./model";
import type { Random } from "../random";
import { type Edit, type World, create, remove } from "./world";

/** A merge patch of the resource, or of what lies under it; gives what of the spec changes with it. */
const patch = (
  name: string,
  weight: number,
  make: (random: Random) => { at?: string; body: object; change?: Partial<Spec> },
): Edit => ({
  name,
  weight,
  run: async ({ client, model }, cache, random) => {
    const { at = "", body, change } = make(random);
    await client.ask("PATCH", `${cache.memcached}${at}`, body, mergePatch);
    cache.spec = { ...(cache.spec as Spec), ...change };
    model.note(name, cache);
  },
});

/** One field of the spec. */
const field = (name: keyof Spec, weight: number, value: (random: Random) => string | number): Edit =>
  patch(name, weight, (random) => {
    const change = { [name]: value(random) };
    return { body: { spec: change }, change };
  });

/** As `kubectl scale` and an autoscaler do it. */
const scale = patch("scale", 12, (random) => {
  const size = random.between(0, 5);
  return { at: "/scale", body: { spec: { replicas: size } }, change: { size } };
});

const label = patch("labels", 6, (random) => {
  return { body: { metadata: { labels: { "soak.example.com/label": `v${random.between(1, 1000)}` } } } };
});

const wipeStatus = patch("status wiped", 5, () => ({ at: "/status", body: { status: null } }));

const deleteChild: Edit = {
  name: "child deleted",
  weight: 8,
  run: async ({ client, model }, cache, random) => {
    const path = random.next() < 0.7 ? cache.deployment : cache.service;
    if (await client.find("DELETE", path)) model.note("child deleted", cache);
  },
};

const remake: Edit = {
  name: "deleted and made anew",
  weight: 8,
  run: async (world, cache, random) => {
    await remove(world, cache, random.pick(["Background", "Foreground"]));
    await create(world, cache, random);
  },
};

const retire: Edit = { name: "deleted", weight: 5, run: (world, cache) => remove(world, cache, "Background") };

const edits: Edit[] = [
  field("size", 20, (random) => random.between(0, 5)),
  field("image", 10, randomImage),
  field("memory", 8, randomMemory),
  field("port", 6, randomPort),
  ...[scale, label, wipeStatus, deleteChild, drift, remake, retire, foreign],
];

/** Makes one edit, which is done when the API server has taken all of it. */
export async function editOnce(world: World, cache: Cache, random: Random): Promise<void> {
  cache.busy = true;
  try {
    if (!cache.spec) return await create(world, cache, random);
    const edit = random.weighted(edits);
    await edit.run(world, cache, random);
  } catch (error) {
    world.model.wrong.push(`${cache.id}: an edit failed: ${(error as Error).message}`);
  } finally {
    cache.busy = false;
  }
}
