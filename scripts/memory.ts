/**
 * `npm run bench:memory`: fills real memcached pods of an embedded cluster of its own, and prints their peak against the derived limit.
 * Exit 1 when one comes too close. See docs/memory.md.
 */
import { type LoadName, measure, type Measured } from "../bench/memory/measure";
import { tableOf, tooClose } from "../bench/memory/table";
import { down, up } from "../cluster/cluster";
import { importImage } from "../cluster/images/archive";
import { memcachedImage } from "../cluster/images/memcached";
import { say } from "../cluster/report";
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";

const USAGE =
  "usage: npm run bench:memory -- [--memory 64Mi,256Mi,1Gi] [--connections 1024,10000] [--load small,large,mixed] " +
  "[--max-item-size 1Mi]";
const CLUSTER = "memory";
const LOADS = ["small", "large", "mixed"];

main(async () => {
  const { values, positionals } = parseCommandLine(USAGE, {
    memory: { type: "string", default: "64Mi,256Mi,1Gi" },
    connections: { type: "string", default: "1024,10000" },
    load: { type: "string", default: LOADS.join(",") },
    "max-item-size": { type: "string", default: "1Mi" },
    help: { type: "boolean", default: false },
  });
  if (values.help) return console.log(USAGE);
  if (positionals.length > 0) throw usageError(USAGE, `unexpected argument ${positionals[0]}`);
  const loads = values.load.split(",");
  const unknown = loads.find((load) => !LOADS.includes(load));
  if (unknown !== undefined) throw usageError(USAGE, `--load ${unknown}: write ${LOADS.join(", ")}`);
  const measured: Measured[] = [];
  const cluster = await up(CLUSTER);
  try {
    const archive = await memcachedImage();
    await importImage(cluster.settings, archive);
    for (const memory of values.memory.split(","))
      for (const connections of values.connections.split(",").map(Number))
        for (const load of loads as LoadName[]) {
          const spec = { memory, connections, maxItemSize: values["max-item-size"] };
          const name = `full-${measured.length}`;
          const result = await measure(cluster, archive.image, name, { load, spec });
          measured.push(result);
          say(`${memory}, ${connections} connections, ${load}: ${result.peakMiB.toFixed(0)} of ${result.limitMiB} MiB`);
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
