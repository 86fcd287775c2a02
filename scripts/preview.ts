import { UserError } from "../cluster/errors";
import { findSettings } from "../cluster/settings";
import { command, nameHelp, nameOption } from "../cluster/cli/commandLine";
import { hasStack, selectStack } from "./stack/pulumi";

const about = `Shows what the program would change, by pulumi preview; only npm start looks for what others changed on the cluster.

${nameHelp}`;

command({ usage: "npm run preview [-- --name CLUSTER]", about, options: nameOption }, async ({ name }) => {
  const settings = findSettings(name);
  if (!settings || !hasStack(settings)) throw new UserError('there is no stack yet: run "npm start" first.');
  const stack = await selectStack(settings);
  await stack.pulumi(["preview", "--diff", ...stack.flags]);
});
