import { command } from "../cluster/cli/commandLine";
import { runSuite } from "./suites/suites";

const about = "Checks formatting, lint rules and types, the same three that npm test begins with.";

command({ usage: "npm run lint", about }, async () => {
  for (const name of ["format", "lint", "types"]) if ((await runSuite(name)).failed > 0) process.exit(1);
});
