/**
 * `npm run soak -- --minutes N`: two operators on an API server that fails, resources that never rest, and exit 1 with what came out
 * wrong. See docs/soak.md.
 */
import { randomInt } from "node:crypto";
import { findings, table } from "../bench/soak/findings";
import { soak } from "../bench/soak/soak";
import { UserError } from "../cluster/errors";
import { say } from "../cluster/report";
import { parseFlags, wholeNumber } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE = "usage: npm run soak -- [--minutes 5] [--resources 500] [--seed NUMBER] [--logs FOLDER]";

main(async () => {
  const values = parseFlags(USAGE, {
    minutes: { type: "string", default: "5" },
    resources: { type: "string", default: "500" },
    seed: { type: "string", default: String(randomInt(2 ** 31)) },
    logs: { type: "string" },
  });
  const options = {
    minutes: wholeNumber(USAGE, "--minutes", values.minutes, 2, 8 * 60),
    resources: wholeNumber(USAGE, "--resources", values.resources, 20, 5000),
    seed: wholeNumber(USAGE, "--seed", values.seed, 0, 2 ** 32 - 1),
    logs: values.logs,
  };
  const outcome = await soak(options, interruption());
  const all = findings(outcome);
  console.log(`\n${table(all)}`);
  const missed = all.filter(({ met }) => !met);
  if (missed.length === 0) return console.log("\nevery bound is met");
  console.log(`\n${missed.length} missed: ${missed.map(({ what }) => what).join("; ")}`);
  for (const line of outcome.wrong) console.log(`  ${line}`);
  const { minutes, resources, seed } = options;
  console.log(`again: npm run soak -- --minutes ${minutes} --resources ${resources} --seed ${seed}`);
  process.exitCode = 1;
});

/** Ctrl-C ends all that was started, and then this; a second one at once. */
function interruption(): AbortSignal {
  const interrupted = new AbortController();
  for (const [signal, number] of [
    ["SIGINT", 2],
    ["SIGTERM", 15],
    ["SIGHUP", 1],
  ] as const)
    process.on(signal, () => {
      if (interrupted.signal.aborted) process.exit(128 + number);
      say(`${signal}: ending what was started`);
      interrupted.abort(new UserError(`interrupted by ${signal}`, 128 + number));
    });
  return interrupted.signal;
}
