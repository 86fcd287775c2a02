/**
 * `npm start`: from a clean checkout to a running Memcached. Starts the embedded cluster, builds the images, runs
 * `pulumi up` on index.ts, and stores and reads a value through the cache. Again, it reports no changes.
 */
import { requireRoot, up, type RunningCluster } from "../cluster/cluster";
import { memcachedImage } from "../cluster/images/memcached";
import { nodeBaseImage } from "../cluster/images/nodeBase";
import { buildahEnv } from "../cluster/images/buildah";
import { importImage } from "../cluster/images/archive";
import { containerdSocket } from "../cluster/nodeConfig";
import { say, step } from "../cluster/report";
import { DEFAULT_CLUSTER } from "../cluster/settings";
import { ensureTools } from "../cluster/toolCache";
import { clusterTools, pulumiTools } from "../cluster/toolList";
import { bundleOperator } from "./build/bundleOperator";
import { parseCommandLine, usageError } from "./cli/commandLine";
import { main } from "./cli/main";
import { storeAndRead } from "./stack/readBack";
import { selectStack } from "./stack/pulumi";

const USAGE = "usage: npm start [-- --name CLUSTER]";

main(async () => {
  const { positionals, values } = parseCommandLine(USAGE, { name: { type: "string", default: DEFAULT_CLUSTER } });
  if (positionals.length > 0) throw usageError(USAGE);
  requireRoot();
  await ensureTools([...clusterTools, ...pulumiTools]);
  const cluster = await up(values.name);
  const { settings } = cluster;
  const operand = await memcachedImage();
  await importImage(settings, operand);
  const base = await step("preparing the operator's image", async () => {
    await bundleOperator();
    return nodeBaseImage();
  });
  Object.assign(process.env, buildahEnv());
  const stack = await selectStack(settings);
  const config = {
    imageBase: base,
    imageEngine: "buildah",
    imageLoad: containerdSocket(settings),
    operandImage: operand.image,
  };
  const pairs = Object.entries(config).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
  await stack.pulumi(["config", "set-all", ...stack.flags, ...pairs], true);
  const output = await stack.pulumi(["up", "--yes", "--skip-preview", "--refresh", ...stack.flags]);
  const outputs = JSON.parse(await stack.pulumi(["stack", "output", "--json", ...stack.flags.slice(0, 2)], true)) as {
    servers: string[];
    namespace: string;
  };
  const { key, value, addresses } = await step("storing and reading a value", () =>
    storeAndRead(settings, outputs.servers),
  );
  if (/Resources:\n\s+\d+ unchanged\s/.test(output)) say("no changes: everything was there already.");
  printResult(cluster, { ...outputs, key, value, addresses });
});

interface Result {
  servers: string[];
  namespace: string;
  key: string;
  value: string;
  addresses: string[];
}

function printResult(cluster: RunningCluster, result: Result): void {
  const { kubectl, kubeconfig, settings } = cluster;
  const flags = settings.name === DEFAULT_CLUSTER ? "" : ` -- --name ${settings.name}`;
  const inNamespace = `-n ${result.namespace}`;
  console.log(`
Running now:
  the cluster "${settings.name}", a real one-node Kubernetes on this machine
  the operator, in the namespace memcached-operator-system
  the cache memcached-sample, ${result.servers.join(", ")} (${result.addresses.join(", ")})
Stored and read back through it: ${result.key} = "${result.value}"

Try next:
  export KUBECONFIG=${kubeconfig}; alias kubectl=${kubectl}
  kubectl get memcacheds ${inNamespace}
  kubectl scale memcached/memcached-sample --replicas=5 ${inNamespace}
  npm run preview${flags}
  kubectl logs -n memcached-operator-system deployment/memcached-operator-controller-manager
  npm stop${flags}`);
}
