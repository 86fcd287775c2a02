/** `npm run format`: Prettier over the whole tree. */
import { spawnSync } from "node:child_process";
import { parseNothing } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

main(() => {
  parseNothing("usage: npm run format", "Formats the whole tree with Prettier.");
  process.exitCode = spawnSync("prettier", ["--write", "--log-level=warn", "."], { stdio: "inherit" }).status ?? 1;
});
