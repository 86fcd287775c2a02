import { parseQuantity } from "../api";
import { runScale } from "../bench/scale";
import { command, wholeNumber } from "../cluster/cli/commandLine";

const usage = "npm run bench:scale -- [--memory 256Mi] [--caches 5000] [--foreign 20000]";
const about = `Runs the operator under a memory limit beside many caches and many objects of others, and prints what it used.
Exit 1 when its process ends by itself. See docs/memory.md.`;
const options = {
  memory: { type: "string", default: "256Mi" },
  caches: { type: "string", default: "5000" },
  foreign: { type: "string", default: "20000" },
} as const;

command({ usage, about, options }, async (values) => {
  const caches = wholeNumber("--caches", values.caches, 1);
  const foreign = wholeNumber("--foreign", values.foreign, 1);
  const limitBytes = parseQuantity(values.memory);
  for (const line of await runScale({ caches, foreign, limitBytes })) console.log(line);
  console.log("the operator was never restarted");
});
