/**
 * `npm run build`: the npm package into dist/, the operator's build context in dist/operator/ included. As npm's own `prepare`, which
 * `npm pack` and `npm install` run, it leaves alone what is up to date.
 */
import { isFresh } from "../build/freshness";
import { buildPackage, lastOfPackage } from "../build/buildPackage";
import { parseNothing } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

main(async () => {
  parseNothing("usage: npm run build", "Builds the npm package into dist/, the operator's build context included.");
  if (process.env.npm_lifecycle_event === "prepare" && isFresh(lastOfPackage)) return;
  process.exitCode = await buildPackage();
});
