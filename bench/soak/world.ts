/** What edits have in hand, and the two that others are made of. */
import { randomUUID } from "node:crypto";
import { waitFor } from "../../cluster/wait";
import type { Client, KubeObject } from "./client";
import { type Cache, type Model, memcachedsOf, randomSpec } from "./model";
import type { Random } from "../random";

export interface World {
  client: Client;
  model: Model;
}

export interface Edit {
  name: string;
  weight: number;
  run(world: World, cache: Cache, random: Random): Promise<void>;
}

const MADE = "soak.example.com/made";
/** Children that are not gone yet keep the name of a resource deleted in the foreground. */
const NAME_IS_FREE_MS = 120_000;

export async function create({ client, model }: World, cache: Cache, random: Random): Promise<void> {
  const spec = randomSpec(random);
  const made = randomUUID();
  const metadata = { name: cache.name, annotations: { [MADE]: made } };
  const body = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata, spec };
  // A name that is taken may be taken by this very request, sent twice, or still be that of its deleted predecessor.
  await waitFor(`the name ${cache.id} to be free`, { limitMs: NAME_IS_FREE_MS, everyMs: 200 }, async () => {
    const answer = await client.ask<KubeObject | undefined>("POST", memcachedsOf(cache.namespace), body);
    const there = answer ?? (await client.find<KubeObject>("GET", cache.memcached));
    return there?.metadata.annotations?.[MADE] === made;
  });
  cache.spec = spec;
  model.note("made", cache);
}

export async function remove({ client, model }: World, cache: Cache, propagationPolicy: string): Promise<void> {
  await client.ask("DELETE", `${cache.memcached}?propagationPolicy=${propagationPolicy}`);
  cache.spec = undefined;
  model.note("deleted", cache);
}
