/** `npm run preview`: `pulumi preview` of index.ts against the embedded cluster, with the stack of `npm start`. */
import { UserError } from "../cluster/errors";
import { DEFAULT_CLUSTER, findSettings } from "../cluster/settings";
import { nameOption, parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { hasStack, selectStack } from "./stack/pulumi";

const USAGE = "usage: npm run preview [-- --name CLUSTER]";
const ABOUT = `Shows what the program would change, by pulumi preview; only npm start looks for what others changed on the cluster.

  --name CLUSTER   the embedded cluster, ${DEFAULT_CLUSTER} by default; each has a stack of its own`;

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, nameOption, ABOUT);
  if (positionals.length > 0) throw usageError(USAGE);
  const settings = findSettings(values.name);
  if (!settings || !hasStack(settings)) throw new UserError('there is no stack yet: run "npm start" first.');
  const stack = await selectStack(settings);
  await stack.pulumi(["preview", "--diff", ...stack.flags]);
});
