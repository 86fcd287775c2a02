/** `npm run cluster -- up | down | status [--name CLUSTER]`: the embedded one-node Kubernetes. */
import { down, status, up } from "../cluster/cluster";
import { DEFAULT_CLUSTER } from "../cluster/settings";
import { nameOption, parseCommandLine, usageError } from "../cluster/cli/commandLine";
import { main } from "../cluster/cli/main";

const USAGE = "usage: npm run cluster -- up | down | status [--name CLUSTER]";
const ABOUT = `up       starts the cluster, or what is missing of it, and waits until it serves
down     ends it and removes all it has on this machine
status   shows its parts; exits 1 when one does not run

  --name CLUSTER   ${DEFAULT_CLUSTER} by default; clusters of different names live side by side`;

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, nameOption, ABOUT);
  const [action, ...rest] = positionals;
  const name = values.name;
  if (rest.length > 0 || !action) throw usageError(USAGE);
  if (action === "up") {
    const { kubeconfig, kubectl } = await up(name);
    console.log(`The cluster is up. Use it with:\n  export KUBECONFIG=${kubeconfig}\n  ${kubectl} get nodes`);
  } else if (action === "down") await down(name);
  else if (action === "status") printStatus(name);
  else throw usageError(USAGE);
});

function printStatus(name: string): void {
  const { dir, api, kubeconfig, parts } = status(name);
  if (!dir) {
    console.log(`There is no cluster "${name}".`);
    process.exitCode = 1;
    return;
  }
  console.log(`cluster     ${name}\napi server  ${api}\nkubeconfig  ${kubeconfig}\nfolder      ${dir}`);
  for (const part of parts)
    console.log(`${part.name.padEnd(24)} ${part.pid ? `running, pid ${part.pid}` : "not running"}`);
  if (parts.some((part) => !part.pid)) process.exitCode = 1;
}
