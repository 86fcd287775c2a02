import { dirname } from "node:path";
import { requireRoot, up, type RunningCluster } from "../cluster/cluster";
import { memcachedImage } from "../cluster/images/memcached";
import { nodeBaseImage } from "../cluster/images/nodeBase";
import { buildahEnv } from "../cluster/images/buildah";
import { importImage } from "../cluster/images/archive";
import { UserError } from "../cluster/errors";
import { containerdSocket } from "../cluster/nodeConfig";
import { say, step } from "../cluster/report";
import { DEFAULT_CLUSTER } from "../cluster/settings";
import { ensureTools } from "../cluster/toolCache";
import { clusterTools, pulumiTools } from "../cluster/toolList";
import { bundleOperator } from "../build/bundleOperator";
import { command, nameHelp, nameOption } from "../cluster/cli/commandLine";
import { failedUpdate } from "./stack/failedUpdate";
import { storeAndRead, type ReadBack } from "./stack/readBack";
import { backend, exclusively, selectStack, STACK, type Stack } from "./stack/pulumi";
import { cachePath, servingServers } from "./stack/serving";
import { removeStaleLocks } from "./stack/staleLocks";
import { get } from "./stack/target";

/** The cache of the stack, where index.ts puts it unless it is configured otherwise. */
const CACHE = "memcached-sample";
const NAMESPACE = "default";

/** The Deployment of its operator. */
const OPERATOR = { namespace: "memcached-operator-system", name: "memcached-operator-controller-manager" };

const about = `From a clean checkout to a running Memcached: starts the embedded cluster, builds the images, runs pulumi up on index.ts,
and stores and reads a value through the cache. Again, it reports no changes.

${nameHelp}`;

command({ usage: "npm start [-- --name CLUSTER]", about, options: nameOption }, async ({ name }) => {
  requireRoot();
  await ensureTools([...clusterTools, ...pulumiTools]);
  await exclusively(name, () => start(name));
});

async function start(name: string): Promise<void> {
  const cluster = await up(name);
  const { settings } = cluster;
  const operand = await memcachedImage();
  await importImage(settings, operand);
  const base = await step("preparing the operator's image", async () => {
    await bundleOperator();
    return nodeBaseImage();
  });
  Object.assign(process.env, buildahEnv());
  await removeStaleLocks(backend(settings));
  const stack = await selectStack(settings);
  const config = {
    imageBase: base,
    imageEngine: "buildah",
    imageLoad: containerdSocket(settings),
    operandImage: operand.image,
    // An update that was killed has made objects that the next one does not know of.
    patchForce: "true",
  };
  const pairs = Object.entries(config).flatMap(([key, value]) => ["--plaintext", `${key}=${value}`]);
  await stack.pulumi(["config", "set-all", ...stack.flags, ...pairs], true);
  const before = await sizeOf(cluster);
  const output = await update(stack, cluster);
  const read = await step("storing and reading a value", async () =>
    storeAndRead(settings, await servingServers(cluster, NAMESPACE, CACHE)),
  );
  const after = await sizeOf(cluster);
  if (before !== undefined && before !== after)
    say(`the cache had a size of ${before} in the cluster; the stack says ${after}, and that is what it has again.`);
  if (/Resources:\n\s+\d+ unchanged\s/.test(output)) say("no changes: everything was there already.");
  printResult(cluster, stack, read);
}

/** The size of the stack's cache in the cluster, undefined while it is not there. */
async function sizeOf({ client }: RunningCluster): Promise<number | undefined> {
  const { code, text } = await client.request("GET", cachePath(NAMESPACE, CACHE));
  return code === 200 ? (JSON.parse(text) as { spec: { size: number } }).spec.size : undefined;
}

/** Runs `pulumi up`; what the cluster says of a failure comes last, for Pulumi knows no more than that it waited long enough. */
async function update(stack: Stack, { settings, kubectl, kubeconfig }: RunningCluster): Promise<string> {
  try {
    return await stack.pulumi(["up", "--yes", "--skip-preview", "--refresh", ...stack.flags]);
  } catch (error) {
    if (!(error instanceof UserError) || error.exitCode !== 1) throw error;
    const ask = (...what: string[]) => get(settings, ...what);
    const cache = { namespace: NAMESPACE, name: CACHE };
    const lines = await failedUpdate(ask, OPERATOR, cache, `${kubectl} --kubeconfig ${kubeconfig}`);
    throw new UserError([error.message, ...lines].join("\n"));
  }
}

function printResult({ kubectl, kubeconfig, settings }: RunningCluster, { home }: Stack, read: ReadBack): void {
  const flags = settings.name === DEFAULT_CLUSTER ? "" : ` -- --name ${settings.name}`;
  console.log(`
Running now:
  the cluster "${settings.name}", a real one-node Kubernetes on this machine
  the operator, in the namespace ${OPERATOR.namespace}
  the cache ${CACHE}, ${read.servers.join(", ")} (${read.addresses.join(", ")})
Stored and read back through it: ${read.key} = "${read.value}"

Try next:
  export KUBECONFIG=${kubeconfig} PULUMI_HOME=${home}
  export PATH=${home}/bin:${dirname(kubectl)}:$PATH    # pulumi and kubectl
  kubectl get memcacheds -n ${NAMESPACE}
  kubectl scale memcached/${CACHE} --replicas=5 -n ${NAMESPACE}
  npm run preview${flags}
  PULUMI_BACKEND_URL=file://${backend(settings)} PULUMI_CONFIG_PASSPHRASE= pulumi stack --stack ${STACK}    # what Pulumi made
  kubectl logs -n ${OPERATOR.namespace} deployment/${OPERATOR.name}
  npm stop${flags}`);
}
