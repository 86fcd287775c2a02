/**
 * `npm run bench`: races this operator against one in Go, prints both sides, and exits 1 when a bound is missed.
 * `--from FILE` shows an earlier run; `--write` makes bench/results.json and docs/benchmark.md of it.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findings, missed } from "../bench/bounds";
import { writePage } from "../bench/page";
import type { Results } from "../bench/results";
import { runBench } from "../bench/run";
import { textTable } from "../bench/table";
import { repositoryRoot } from "../cluster/paths";
import { parseFlags, wholeNumber } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE =
  "usage: npm run bench -- [--count 1000,5000] [--rounds 1] [--workers 16] [--idle SECONDS] [--crowd 2000 | 0] " +
  "[--no-takeover] [--json FILE] [--from FILE] [--write]";

main(async () => {
  const values = parseFlags(USAGE, {
    count: { type: "string", default: "1000,5000" },
    rounds: { type: "string", default: "1" },
    workers: { type: "string", default: "16" },
    idle: { type: "string", default: "20" },
    crowd: { type: "string", default: "2000" },
    "no-takeover": { type: "boolean", default: false },
    json: { type: "string" },
    from: { type: "string" },
    write: { type: "boolean", default: false },
  });
  const whole = (name: "rounds" | "workers" | "idle" | "crowd", least: number) =>
    wholeNumber(USAGE, `--${name}`, values[name], least);
  const options = {
    counts: values.count.split(",").map((text) => wholeNumber(USAGE, "--count", text, 1)),
    rounds: whole("rounds", 0),
    workers: whole("workers", 1),
    idleS: whole("idle", 1),
    crowd: whole("crowd", 0),
    takeover: !values["no-takeover"],
  };
  const results = values.from ? (JSON.parse(readFileSync(values.from, "utf8")) as Results) : await runBench(options);
  if (values.json) save(values.json, results);
  if (values.write) {
    save(join(repositoryRoot, "bench", "results.json"), results);
    await writePage(join(repositoryRoot, "docs"), results);
  }
  const sections = findings(results);
  console.log(textTable(sections));
  const open = missed(sections);
  if (open.length === 0) return console.log("\nevery bound is met");
  console.log(`\n${open.length} missed:\n${open.map((line) => `  ${line}`).join("\n")}`);
  process.exitCode = 1;
});

function save(file: string, results: Results): void {
  writeFileSync(file, `${JSON.stringify(results, null, 2)}\n`);
}
