/** `npm run preview`: `pulumi preview` of index.ts against the embedded cluster, with the stack of `npm start`. */
import { UserError } from "../cluster/errors";
import { DEFAULT_CLUSTER, findSettings } from "../cluster/settings";
import { main } from "./cli/main";
import { hasStack, selectStack } from "./stack/pulumi";

main(async () => {
  const settings = findSettings(DEFAULT_CLUSTER);
  if (!settings || !hasStack(settings)) throw new UserError('there is no stack yet: run "npm start" first.');
  const stack = await selectStack(settings);
  await stack.pulumi(["preview", "--diff", ...stack.flags, ...process.argv.slice(2)]);
});
