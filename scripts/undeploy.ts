/** `npm run undeploy`: removes what `npm run deploy` installed, the CRD and with it every cache included. */
import { parseNothing } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";
import { installYaml } from "./generate/install";
import { kubectl, target } from "./stack/target";

const USAGE = "usage: npm run undeploy";
const ABOUT = `Removes what npm run deploy installed, the CRD and with it every cache included.
It acts on the cluster of KUBECONFIG; without one, on the embedded cluster when that runs.`;

main(async () => {
  parseNothing(USAGE, ABOUT);
  await kubectl(target(), ["delete", "--ignore-not-found", "--timeout=2m", "-f", "-"], installYaml());
});
