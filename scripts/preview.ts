/** `npm run preview`: `pulumi preview` of index.ts against the embedded cluster, with the stack of `npm start`. */
import { UserError } from "../cluster/errors";
import { findSettings } from "../cluster/settings";
import { parseClusterName } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { hasStack, selectStack } from "./stack/pulumi";

const USAGE = "usage: npm run preview [-- --name CLUSTER]";
const ABOUT =
  "Shows what the program would change, by pulumi preview; only npm start looks for what others changed on the cluster.";

main(async () => {
  const name = parseClusterName(USAGE, ABOUT);
  const settings = findSettings(name);
  if (!settings || !hasStack(settings)) throw new UserError('there is no stack yet: run "npm start" first.');
  const stack = await selectStack(settings);
  await stack.pulumi(["preview", "--diff", ...stack.flags]);
});
