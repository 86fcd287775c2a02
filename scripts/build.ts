import { isFresh } from "../build/freshness";
import { buildPackage, lastOfPackage } from "../build/buildPackage";
import { command } from "../cluster/cli/commandLine";

const about = "Builds the npm package into dist/, the operator's build context in dist/operator/ included.";

command({ usage: "npm run build", about }, async () => {
  // npm pack and npm install run it, too, and it leaves alone what is up to date.
  if (process.env.npm_lifecycle_event === "prepare" && isFresh(lastOfPackage)) return;
  process.exitCode = await buildPackage();
});
