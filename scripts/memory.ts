/**
 * `npm run bench:memory`: fills real memcached pods of an embedded cluster of its own, and prints their peak against the derived limit.
 * Exit 1 when one comes too close. See docs/memory.md.
 */
import { defaults, type MemcachedSpec, validateSpec } from "../api";
import { type LoadName, measure, type Measured } from "../bench/memory/measure";
import { tableOf, tooClose } from "../bench/memory/table";
import { down, up } from "../cluster/cluster";
import { importImage } from "../cluster/images/archive";
import { memcachedImage } from "../cluster/images/memcached";
import { say } from "../cluster/report";
import { parseFlags, usageError, wholeNumber } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE =
  "usage: npm run bench:memory -- [--memory 64Mi,256Mi,1Gi] [--connections 1024,10000] [--load small,large,mixed] " +
  "[--max-item-size 1Mi,4Mi] [--threads 4] [--extra-args='-f 1.05']";
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
  });
  const loads = values.load.split(",");
  const unknown = loads.find((load) => !LOADS.includes(load));
  if (unknown !== undefined) throw usageError(USAGE, `--load ${unknown}: write ${LOADS.join(", ")}`);
  const threads = wholeNumber(USAGE, "--threads", values.threads, 1);
  const extraArgs = values["extra-args"].split(" ").filter((word) => word !== "");
  const specs: MemcachedSpec[] = [];
  for (const memory of values.memory.split(","))
    for (const connections of values.connections.split(",").map(Number))
      for (const maxItemSize of values["max-item-size"].split(","))
        specs.push({ memory, connections, maxItemSize, threads, extraArgs });
  const measured: Measured[] = [];
  const cluster = await up(CLUSTER);
  try {
    const archive = await memcachedImage();
    await importImage(cluster.settings, archive);
    // Combinations that the API refuses are left out.
    for (const spec of specs.filter((each) => validateSpec(each).length === 0))
      for (const load of loads as LoadName[]) {
        measured.push(await measure(cluster, archive.image, load, spec));
        say(tableOf(measured.slice(-1)).split("\n").at(-1)!);
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
