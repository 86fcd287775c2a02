/** A whole run: who races when, and what is kept of it. */
import { cpus, totalmem } from "node:os";
import { say } from "../cluster/report";
import { type Arena, openArena } from "./arena";
import type { Contender, Name } from "./contenders";
import { crowd } from "./phases/crowd";
import { race } from "./phases/race";
import { takeover } from "./phases/takeover";
import type { Pair, Results } from "./results";

export interface RunOptions {
  counts: number[];
  rounds: number;
  workers: number;
  idleS: number;
  /** Resources of the crowd; 0 leaves it out. */
  crowd: number;
  takeover: boolean;
}

export async function runBench(options: RunOptions): Promise<Results> {
  const { workers, rounds, idleS } = options;
  const results: Results = { date: today(), machine: machine(), workers, races: [], crowds: [], takeovers: [] };
  const arena = await openArena(workers);
  try {
    for (let round = 0; round < rounds; round++)
      for (const count of options.counts)
        results.races.push(
          await pair(arena, `race of ${count}`, round, (contender, namespace) =>
            race(arena, contender, namespace, { count, idleS }),
          ),
        );
    if (options.crowd > 0)
      results.crowds.push(
        await pair(arena, `crowd of ${options.crowd}`, 0, (contender, namespace) =>
          crowd(arena, contender, namespace, options.crowd),
        ),
      );
    if (options.takeover)
      results.takeovers.push(
        await pair(arena, "takeover", 0, (contender, namespace) => takeover(arena, contender, namespace)),
      );
    return results;
  } finally {
    await arena.stop();
  }
}

let namespaces = 0;

/** Measures both, each first in every other round: who comes later meets a fuller database. */
async function pair<T>(
  arena: Arena,
  what: string,
  round: number,
  measure: (contender: Contender, namespace: string) => Promise<T>,
): Promise<Pair<T>> {
  const order: Name[] = round % 2 === 0 ? ["ours", "go"] : ["go", "ours"];
  const measured: Partial<Pair<T>> = {};
  for (const name of order) {
    const contender = arena.contenders[name];
    say(`round ${round + 1}, ${what}: ${contender.title}`);
    measured[name] = await measure(contender, `race-${++namespaces}`);
  }
  return measured as Pair<T>;
}

const today = () => new Date().toISOString().slice(0, 10);

function machine(): string {
  const cores = cpus();
  return `${cores.length} cores (${cores[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}`;
}
