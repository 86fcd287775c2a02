/**
 * `npm run bench:scale`: runs the operator under a memory limit beside many caches and many objects of others, and prints what it used. Exit 1
 * when its process ends by itself. See docs/memory.md.
 */
import { parseQuantity } from "../api";
import { runScale } from "../bench/scale";
import { parseFlags, wholeNumber } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE = "usage: npm run bench:scale -- [--memory 256Mi] [--caches 5000] [--foreign 20000]";

main(async () => {
  const values = parseFlags(USAGE, {
    memory: { type: "string", default: "256Mi" },
    caches: { type: "string", default: "5000" },
    foreign: { type: "string", default: "20000" },
  });
  const caches = wholeNumber(USAGE, "--caches", values.caches, 1);
  const foreign = wholeNumber(USAGE, "--foreign", values.foreign, 1);
  const limitBytes = parseQuantity(values.memory);
  const { ceilingMiB, stages } = await runScale({ caches, foreign, limitBytes });
  console.log(`\nlimit ${values.memory}, ceiling of the heap ${ceilingMiB} MiB\n`);
  for (const { what, heapMiB, residentMiB, peakMiB } of stages) {
    const rounded = [heapMiB, residentMiB, peakMiB].map((mib) => mib.toFixed(0));
    console.log(`${what}: heap ${rounded[0]}, resident ${rounded[1]}, peak of the cgroup ${rounded[2]} MiB`);
  }
  console.log("\nthe operator was never restarted");
});
