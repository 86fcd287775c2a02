import { spawnSync } from "node:child_process";
import { command } from "../cluster/cli/commandLine";

command({ usage: "npm run format", about: "Formats the whole tree with Prettier." }, () => {
  process.exitCode = spawnSync("prettier", ["--write", "--log-level=warn", "."], { stdio: "inherit" }).status ?? 1;
});
