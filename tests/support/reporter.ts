/** mocha's spec reporter, which also leaves its counts in the file that COUNTS_FILE names. */
import { writeFileSync } from "node:fs";
import Mocha from "mocha";

export = class CountingReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
    super(runner, options);
    const { COUNTS_FILE } = process.env;
    if (COUNTS_FILE) runner.once("end", () => writeFileSync(COUNTS_FILE, JSON.stringify(this.stats)));
  }
};
