/** `npm run preview`: `pulumi preview` of index.ts against the embedded cluster, with the stack of `npm start`. */
import { UserError } from "../cluster/errors";
import { DEFAULT_CLUSTER, findSettings } from "../cluster/settings";
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { hasStack, selectStack } from "./stack/pulumi";

const USAGE = "usage: npm run preview [-- --name CLUSTER]";

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, { name: { type: "string", default: DEFAULT_CLUSTER } });
  if (positionals.length > 0) throw usageError(USAGE);
  const settings = findSettings(values.name);
  if (!settings || !hasStack(settings)) throw new UserError('there is no stack yet: run "npm start" first.');
  const stack = await selectStack(settings);
  await stack.pulumi(["preview", "--diff", ...stack.flags]);
});
