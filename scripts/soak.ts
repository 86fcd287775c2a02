import { randomInt } from "node:crypto";
import { constants } from "node:os";
import { findings, table } from "../bench/soak/findings";
import { soak } from "../bench/soak/soak";
import { UserError } from "../cluster/errors";
import { say } from "../cluster/report";
import { command, wholeNumber } from "../cluster/cli/commandLine";

const usage = "npm run soak -- [--minutes 5] [--resources 500] [--seed NUMBER] [--logs FOLDER]";
const about = `Two operators on an API server that fails, and resources that never rest; exit 1 with what came out wrong.
See docs/soak.md.`;
const flags = {
  minutes: { type: "string", default: "5" },
  resources: { type: "string", default: "500" },
  seed: { type: "string", default: String(randomInt(2 ** 31)) },
  logs: { type: "string" },
} as const;

command({ usage, about, options: flags }, async (values) => {
  const options = {
    minutes: wholeNumber("--minutes", values.minutes, 2, 8 * 60),
    resources: wholeNumber("--resources", values.resources, 20, 5000),
    seed: wholeNumber("--seed", values.seed, 0),
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
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => {
      const code = 128 + constants.signals[signal];
      if (interrupted.signal.aborted) process.exit(code);
      say(`${signal}: ending what was started`);
      interrupted.abort(new UserError(`interrupted by ${signal}`, code));
    });
  return interrupted.signal;
}
