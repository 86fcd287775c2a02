/** The embedded cluster that all e2e tests of a mocha run share, beside any cluster that the developer has. */
import { join } from "node:path";
import { down, up, type RunningCluster } from "../../cluster/cluster";
import { importImage, loadImage } from "../../cluster/images/archive";
import { buildah } from "../../cluster/images/buildah";
import { memcachedImage } from "../../cluster/images/memcached";
import { nodeBaseImage } from "../../cluster/images/nodeBase";
import { repositoryRoot } from "../../cluster/paths";
import { run, tryRun } from "../../cluster/run";
import { bundleOperator } from "../../build/bundleOperator";
import { atEnd } from "./cleanup";

/** Named otherwise, two runs do not disturb each other. */
export const TEST_CLUSTER = process.env.TEST_CLUSTER ?? "memcached-test";

const OPERATOR_IMAGE = "localhost/memcached-operator:e2e";

export interface TestCluster extends RunningCluster {
  /** References of the images that its node has. */
  images: { operator: string; memcached: string };
  /** Runs its kubectl to success and gives standard output; `input` goes to standard input. */
  kubectlRun(args: readonly string[], input?: string): Promise<string>;
  /** Runs its kubectl and gives exit code and output. */
  kubectlTry(args: readonly string[], input?: string): ReturnType<typeof tryRun>;
}

/** Installs the operator as `npm run deploy` does. */
export async function deployOperator({ kubeconfig, images }: TestCluster): Promise<void> {
  await runScript(kubeconfig, "scripts/deploy.ts", images.operator, "--memcached-image", images.memcached);
}

/** Removes it as `npm run undeploy` does. */
export async function undeployOperator({ kubeconfig }: TestCluster): Promise<void> {
  await runScript(kubeconfig, "scripts/undeploy.ts");
}

async function runScript(kubeconfig: string, ...script: string[]): Promise<void> {
  const env = { ...process.env, KUBECONFIG: kubeconfig };
  await run("node", ["--require", "tsx/cjs", ...script], { cwd: repositoryRoot, env });
}

let shared: Promise<TestCluster> | undefined;

/** Starts the cluster with both images at the first call; it ends with the mocha run. */
export function testCluster(): Promise<TestCluster> {
  if (!shared) {
    atEnd(() => down(TEST_CLUSTER));
    shared = start();
  }
  return shared;
}

async function start(): Promise<TestCluster> {
  await down(TEST_CLUSTER);
  const cluster = await up(TEST_CLUSTER, { networkPolicies: true });
  const memcached = await memcachedImage();
  await importImage(cluster.settings, memcached);
  await loadOperator(cluster);
  const env = { ...process.env, KUBECONFIG: cluster.kubeconfig };
  return {
    ...cluster,
    images: { operator: OPERATOR_IMAGE, memcached: memcached.image },
    kubectlRun: (args, input) => run(cluster.kubectl, args, { env, input, timeoutMs: 120_000 }),
    kubectlTry: (args, input) => tryRun(cluster.kubectl, args, { env, input, timeoutMs: 120_000 }),
  };
}

/** Builds the operator's image from this tree and loads it. */
async function loadOperator({ settings }: RunningCluster): Promise<void> {
  const context = join(settings.dir, "operator-image");
  await bundleOperator(context);
  const base = await nodeBaseImage();
  await buildah("bud", "--quiet", "--build-arg", `BASE=${base}`, "--tag", OPERATOR_IMAGE, context);
  await loadImage(settings, OPERATOR_IMAGE);
}
