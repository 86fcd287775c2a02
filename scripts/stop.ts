import { down, status } from "../cluster/cluster";
import { say } from "../cluster/report";
import { findSettings } from "../cluster/settings";
import { command, nameHelp, nameOption } from "../cluster/cli/commandLine";
import { backend, exclusively, hasStack, selectStack } from "./stack/pulumi";
import { removeStaleLocks } from "./stack/staleLocks";

const about = `Runs pulumi destroy on what npm start made, and removes the cluster. Nothing of either remains.\n\n${nameHelp}`;

command({ usage: "npm stop [-- --name CLUSTER]", about, options: nameOption }, async ({ name }) => {
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
