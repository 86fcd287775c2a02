/** What edits have in hand, and the two that others are made of. */
import { HttpError } from "../api";
import type { Client } from "./client";
import { type Cache, type Model, memcachedsOf, randomSpec } from "./model";
import type { Random } from "./random";

export interface World {
  client: Client;
  model: Model;
}

export interface Edit {
  name: string;
  weight: number;
  run(world: World, cache: Cache, random: Random): Promise<void>;
}

/** Children that are not gone yet keep the name of a resource deleted in the foreground. */
const NAME_IS_FREE_MS = 120_000;

export async function create({ client, model }: World, cache: Cache, random: Random): Promise<void> {
  const spec = randomSpec(random);
  const body = { apiVersion: "cache.example.com/v1", kind: "Memcached", metadata: { name: cache.name }, spec };
  const end = performance.now() + NAME_IS_FREE_MS;
  for (;;) {
    try {
      await client.ask("POST", memcachedsOf(cache.namespace), body);
      break;
    } catch (error) {
      if (!(error instanceof HttpError && error.code === 409) || performance.now() > end) throw error;
    }
  }
  cache.spec = spec;
  model.note("made", cache);
}

export async function remove({ client, model }: World, cache: Cache, propagationPolicy: string): Promise<void> {
  await client.ask("DELETE", `${cache.memcached}?propagationPolicy=${propagationPolicy}`);
  cache.spec = undefined;
  model.note("deleted", cache);
}
