/** `npm run lint`: formatting, lint rules and types, the same three that `npm test` begins with. */
import { spawnSync } from "node:child_process";
import { parseNothing } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const checks = [
  ["prettier", "--check", "--log-level=warn", "."],
  ["eslint", "."],
  ["tsc", "--noEmit"],
] as const;

main(() => {
  parseNothing("usage: npm run lint", "Checks formatting, lint rules and types.");
  for (const [command, ...args] of checks) {
    const { status } = spawnSync(command, args, { stdio: "inherit" });
    if (status !== 0) process.exit(status ?? 1);
  }
});
