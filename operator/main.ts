import { readFile } from "node:fs/promises";
import { version } from "../package.json";
import { defaultClusterDomain, defaultMemcachedImage } from "../api";
import { type Flags, UsageError, checkClusterDomain, checkNamespaces, helpText, parseFlags } from "./flags";
import { clusterDomainOf } from "./memcached/clusterDomain";
import { addMemcachedController } from "./memcached/setup";
import { fieldManager as operatorName } from "./memcached/labels";
import { openshiftDetector } from "./memcached/openshift";
import { proxyVariables } from "./memcached/proxy";
import {
  type Config,
  Manager,
  type ManagerOptions,
  Transport,
  createLogger,
  heapCeilingMiB,
  loadConfig,
  watchHeap,
} from "./runtime";

type Env = NodeJS.ProcessEnv;

/** The image's Dockerfile derives the heap limit from the memory limit. */
const moreMemory =
  "raise the memory limit of the operator's container (resources.limits.memory of MemcachedOperator), or, outside a container, " +
  "set NODE_OPTIONS=--max-old-space-size=MIB";

/** Runs the operator until it is stopped. Returns the exit code. */
async function main(args: string[], env: Env): Promise<number> {
  const command = parseFlags(args);
  if ("print" in command) {
    process.stdout.write(command.print === "help" ? helpText() : `${operatorName} ${version}\n`);
    return 0;
  }
  const flags = command.run;
  const namespaces = checkNamespaces(flags["watch-namespaces"] ?? env.WATCH_NAMESPACE ?? "");
  const givenDomain = flags["cluster-domain"] ?? (env.CLUSTER_DOMAIN && checkClusterDomain(env.CLUSTER_DOMAIN));
  const config = await loadConfig({ kubeconfig: flags.kubeconfig, env });
  const manager = managerFor(flags, env, config, namespaces);
  const isOpenshift = openshiftDetector(async (path) => {
    const transport = new Transport({ config, userAgent: `${operatorName}/${version}`, env });
    try {
      await transport.json({ method: "GET", path, timeoutMs: 10_000 });
    } finally {
      await transport.close();
    }
  });
  const image = env.MEMCACHED_IMAGE || defaultMemcachedImage;
  const proxy = proxyVariables(env);
  const foundDomain = givenDomain || (config.inCluster ? await ownClusterDomain() : undefined);
  const clusterDomain = foundDomain ?? defaultClusterDomain;
  const common = { image, proxy, clusterDomain };
  const environments = { openshift: { ...common, fixedUser: false }, other: { ...common, fixedUser: true } };
  addMemcachedController(manager, async () => ((await isOpenshift()) ? environments.openshift : environments.other));
  watchHeap(manager.log, moreMemory);
  const { server } = config;
  const about = { version, image, namespaces, clusterDomain, server, heapCeilingMiB: heapCeilingMiB() };
  manager.log.info(about, "Starting the operator");
  if (!foundDomain)
    manager.log.info(
      { clusterDomain },
      "Using the default cluster domain, because no other was found: set --cluster-domain if the cluster has another",
    );
  await manager.run();
  return 0;
}

function managerFor(flags: Flags, env: Env, config: Config, namespaces: string[]): Manager {
  const options: ManagerOptions = {
    config,
    name: operatorName,
    version,
    namespaces,
    leaderElection: flags["leader-elect"]
      ? { id: flags["leader-election-id"], namespace: leaseNamespace(flags, env, config) }
      : undefined,
    metrics: {
      bindAddress: flags["metrics-bind-address"],
      secure: flags["metrics-secure"],
      certificates: metricsCertificates(flags),
      http2: flags["enable-http2"],
    },
    healthProbeBindAddress: flags["health-probe-bind-address"],
    log: createLogger({ level: flags["log-level"], format: flags["log-format"] === "console" ? "text" : "json" }),
    workers: Number(flags.workers),
  };
  try {
    return new Manager(options);
  } catch (error) {
    // Before it runs, the manager only refuses values of flags.
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** The domain of the cluster, if this runs in a pod. */
async function ownClusterDomain(): Promise<string | undefined> {
  return clusterDomainOf(await readFile("/etc/resolv.conf", "utf8").catch(() => ""));
}

function metricsCertificates(flags: Flags): NonNullable<ManagerOptions["metrics"]>["certificates"] {
  const path = flags["metrics-cert-path"];
  return path ? { path, certName: flags["metrics-cert-name"], keyName: flags["metrics-cert-key"] } : undefined;
}

function leaseNamespace(flags: Flags, env: Env, config: Config): string {
  const namespace = flags["leader-election-namespace"] ?? (env.POD_NAMESPACE || config.namespace);
  if (namespace) return namespace;
  throw new UsageError("--leader-elect requires a namespace for the lease: set --leader-election-namespace");
}

main(process.argv.slice(2), process.env).then(
  (code) => process.exit(code),
  (error: unknown) => {
    console.error(`${operatorName}: ${error instanceof Error ? error.message : String(error)}`);
    process.exit(error instanceof UsageError ? 2 : 1);
  },
);
