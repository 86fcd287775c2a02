/**
 * `npm run bench:memory`: fills real memcached pods of an embedded cluster of its own, and prints their peak against the derived limit.
 * Exit 1 when one comes too close. See docs/memory.md.
 */
import { defaults, parseQuantity, validateSpec } from "../api";
import { type LoadName, measure, type Measured } from "../bench/memory/measure";
import { tableOf, tooClose } from "../bench/memory/table";
import { down, up } from "../cluster/cluster";
import { importImage } from "../cluster/images/archive";
import { memcachedImage } from "../cluster/images/memcached";
import { say } from "../cluster/report";
import { parseFlags, usageError } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE =
  "usage: npm run bench:memory -- [--memory 64Mi,256Mi,1Gi] [--connections 1024,10000] [--load small,large,mixed] " +
  "[--max-item-size 1Mi,4Mi] [--threads 4] [--extra-args='-f 1.05'] [--speed 64Mi]";
const CLUSTER = "memory";
const LOADS = ["small", "large", "mixed"];

main(async () => {
  const values = parseFlags(USAGE, {
    memory: { type: "string", default: "64Mi,256Mi,1Gi" },
    connections: { type: "string", default: "1024,10000" },
    load: { type: "string", default: LOADS.join(",") },
    "max-item-size": { type: "string", default: "1Mi" },
    threads: { type: "string", default: String(defaults.threads) },
    "extra-args": { type: "string", default: "" },
    speed: { type: "string", default: "64Mi" },
  });
  const loads = values.load.split(",");
  const unknown = loads.find((load) => !LOADS.includes(load));
  if (unknown !== undefined) throw usageError(USAGE, `--load ${unknown}: write ${LOADS.join(", ")}`);
  const speed = parseQuantity(values.speed);
  const measured: Measured[] = [];
  const cluster = await up(CLUSTER);
  try {
    const archive = await memcachedImage();
    await importImage(cluster.settings, archive);
    for (const spec of specs(values))
      for (const load of loads as LoadName[]) {
        const result = await measure(cluster, archive.image, `full-${measured.length}`, { load, spec, speed });
        measured.push(result);
        const { memory, maxItemSize, connections } = spec;
        const peak = `${result.peakMiB.toFixed(0)} of ${result.limitMiB} MiB`;
        say(`${memory}, items to ${maxItemSize}, ${connections} connections, ${load}: ${peak}`);
      }
  } finally {
    await down(CLUSTER);
  }
  console.log(`\n${tableOf(measured)}`);
  const close = measured.filter(tooClose);
  if (close.length === 0) return console.log("\nevery server stays below its limit");
  console.log(`\n${close.length} come within a twentieth of the limit, or past it`);
  process.exitCode = 1;
});

interface Lists {
  memory: string;
  connections: string;
  "max-item-size": string;
  threads: string;
  "extra-args": string;
}

/** Every combination of the lists, as far as the API takes it. */
function specs(lists: Lists) {
  const threads = Number(lists.threads);
  const extraArgs = lists["extra-args"].split(" ").filter((word) => word !== "");
  return lists.memory
    .split(",")
    .flatMap((memory) =>
      lists.connections.split(",").map((connections) => ({ memory, connections: Number(connections) })),
    )
    .flatMap((spec) =>
      lists["max-item-size"].split(",").map((maxItemSize) => ({ ...spec, maxItemSize, threads, extraArgs })),
    )
    .filter((spec) => validateSpec(spec).length === 0);
}
