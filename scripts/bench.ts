/** `npm run bench`: races this operator against one in Go, prints both sides, and exits 1 when a bound is missed. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { findings, missed } from "../bench/bounds";
import { outcome, page } from "../bench/page";
import { runBench } from "../bench/run";
import { repositoryRoot } from "../cluster/paths";
import { parseFlags, wholeNumber } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE = "usage: npm run bench -- [--count 1000,5000] [--write]";
const ABOUT = `Races this operator against one in Go, prints both sides, and exits 1 when a bound is missed.

  --count 1000,5000   how many resources each race has
  --write             makes docs/benchmark.md of what is found`;

main(async () => {
  const options = { count: { type: "string", default: "1000,5000" }, write: { type: "boolean" } } as const;
  const { count, write } = parseFlags(USAGE, options, ABOUT);
  const counts = count.split(",").map((text) => wholeNumber(USAGE, "--count", text, 1));
  const sections = findings(await runBench(counts));
  if (write) writeFileSync(join(repositoryRoot, "docs", "benchmark.md"), await page(sections));
  console.log(await outcome(sections));
  process.exitCode = missed(sections).length > 0 ? 1 : 0;
});
