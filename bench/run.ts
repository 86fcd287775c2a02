/** A whole run: who races when. */
import { say } from "../cluster/report";
import { type Arena, type Contender, openArena } from "./arena";
import { crowd } from "./phases/crowd";
import { race } from "./phases/race";
import type { Pair, Results } from "./results";

/** Resources of the crowd. */
const CROWD = 2000;

/** A race for each of the numbers of resources, and a crowd. */
export async function runBench(counts: readonly number[]): Promise<Results> {
  const arena = await openArena();
  try {
    const races = [];
    for (const count of counts) races.push(await pair(arena, `race-${count}`, race, count));
    return { races, crowd: await pair(arena, "crowd", crowd, CROWD) };
  } finally {
    await arena.stop();
  }
}

/** Measures both; the name of the namespace says what. */
async function pair<T>(
  arena: Arena,
  what: string,
  measure: (arena: Arena, contender: Contender, namespace: string, count: number) => Promise<T>,
  count: number,
): Promise<Pair<T>> {
  const one = (name: "ours" | "go") => {
    say(`${what}: ${arena[name].title}`);
    return measure(arena, arena[name], `${what}-${name}`, count);
  };
  return { ours: await one("ours"), go: await one("go") };
}
