/** `npm stop`: `pulumi destroy` of what `npm start` made, then the cluster down. Nothing of either remains. */
import { down, status } from "../cluster/cluster";
import { say } from "../cluster/report";
import { findSettings } from "../cluster/settings";
import { parseClusterName } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { exclusively } from "./stack/exclusive";
import { backend, hasStack, selectStack } from "./stack/pulumi";
import { removeStaleLocks } from "./stack/staleLocks";

const USAGE = "usage: npm stop [-- --name CLUSTER]";
const ABOUT = "Runs pulumi destroy on what npm start made, and removes the cluster.";

main(async () => {
  const name = parseClusterName(USAGE, ABOUT);
  await exclusively(name, () => stop(name));
});

async function stop(name: string): Promise<void> {
  const settings = findSettings(name);
  if (settings && hasStack(settings)) {
    const { parts } = status(name);
    await removeStaleLocks(backend(settings));
    if (parts.every((part) => part.pid)) {
      const stack = await selectStack(settings);
      await stack.pulumi(["destroy", "--yes", "--skip-preview", "--remove", ...stack.flags]);
    } else say("the cluster does not run: what is in it goes with it.");
  }
  await down(name);
}
