/** mocha's spec reporter, which also leaves the outcome in the file that OUTCOME_FILE names. */
import { writeFileSync } from "node:fs";
import Mocha from "mocha";
import type { Outcome } from "../../scripts/suites/outcome";

export = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { OUTCOME_FILE } = process.env;
    if (!OUTCOME_FILE) return;
    const reasons: string[] = [];
    runner.on("fail", (test, error: unknown) => reasons.push(`${test.fullTitle()}\n${reason(error)}`));
    runner.once("end", () => {
      const { passes: passed, failures: failed } = this.stats;
      writeFileSync(OUTCOME_FILE, JSON.stringify({ passed, failed, reasons } satisfies Outcome));
    });
  }
};

function reason(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
