import { command } from "../cluster/cli/commandLine";
import { installYaml } from "./generate/install";
import { kubectl, target } from "./stack/target";

const about = `Removes what npm run deploy installed, the CRD and with it every cache included.
It acts on the cluster of KUBECONFIG; without one, on the embedded cluster when that runs.`;

command({ usage: "npm run undeploy", about }, async () => {
  await kubectl(target(), ["delete", "--ignore-not-found", "--timeout=2m", "-f", "-"], installYaml());
});
