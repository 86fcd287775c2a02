/** mocha's spec reporter, which also leaves its counts, and what failed, in the file that COUNTS_FILE names. */
import { writeFileSync } from "node:fs";
import Mocha from "mocha";

export = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { COUNTS_FILE } = process.env;
    if (!COUNTS_FILE) return;
    const failed: string[] = [];
    runner.on("fail", (test, error: unknown) => failed.push(`${test.fullTitle()}\n${reason(error)}`));
    runner.once("end", () => {
      const { passes, failures } = this.stats;
      writeFileSync(COUNTS_FILE, JSON.stringify({ passes, failures, failed }));
    });
  }
};

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
