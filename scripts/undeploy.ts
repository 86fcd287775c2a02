/** `npm run undeploy`: removes what `npm run deploy` installed, the CRD and with it every cache included. */
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { installYaml } from "./generate/install";
import { kubectl, target } from "./stack/target";

const USAGE = "usage: npm run undeploy";

main(async () => {
  const { positionals } = parseCommandLine(USAGE, {});
  if (positionals.length > 0) throw usageError(USAGE);
  await kubectl(await target(), ["delete", "--ignore-not-found", "--timeout=2m", "-f", "-"], installYaml());
});
