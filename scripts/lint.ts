/** `npm run lint`: formatting, lint rules and types, the same three that `npm test` begins with. */
import { parseNothing } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { runSuite } from "./suites/suites";

main(async () => {
  parseNothing("usage: npm run lint", "Checks formatting, lint rules and types.");
  for (const name of ["format", "lint", "types"]) if ((await runSuite(name)).failed > 0) process.exit(1);
});
