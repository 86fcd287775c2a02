import { isDeeplyKnown, isKnown } from "./lift";
import { defaultPrefix } from "./manifests";
import type { OperatorManifestArgs } from "./manifests";
import { validateTimeout } from "./duration";
import {
  refuse,
  validateFlag,
  validateInteger,
  validateKeys,
  validateLabel,
  validateOneOf,
  validateStringMap,
} from "./validation";

/** How the operator is installed. */
export interface MemcachedOperatorArgs extends OperatorManifestArgs {
  /**
   * Whether to install the CustomResourceDefinition; false when it is there already, of another operator or by hand.
   * Must be known when the program runs.
   * Defaults to true.
   */
  installCrds?: boolean;
  /**
   * Whether `pulumi destroy` leaves the CustomResourceDefinition in the cluster. Deleting it deletes every Memcached of
   * the cluster, also those of other people. Must be known when the program runs.
   * Defaults to true.
   */
  retainCrds?: boolean;
  /**
   * How long `pulumi up` waits for the operator's pods before it fails: a duration, or a number of seconds.
   * Defaults to "5m".
   */
  readyTimeout?: string;
  /**
   * Whether `pulumi up` goes on without waiting for the operator's pods.
   * Defaults to false.
   */
  skipAwait?: boolean;
}

const names: Record<keyof MemcachedOperatorArgs, true> = {
  image: true,
  operandImage: true,
  namespace: true,
  createNamespace: true,
  namePrefix: true,
  installCrds: true,
  retainCrds: true,
  watchNamespaces: true,
  replicas: true,
  resources: true,
  imagePullSecrets: true,
  proxy: true,
  logLevel: true,
  metrics: true,
  leaderElect: true,
  nodeSelector: true,
  tolerations: true,
  affinity: true,
  labels: true,
  annotations: true,
  readyTimeout: true,
  skipAwait: true,
};

/** The longest name under the prefix is that of the metrics Service, and a Service's name is a DNS label. */
const longestPrefix = 63 - "controller-manager-metrics-service".length;

/** Checks what is known of the arguments. @throws RunError with every sentence of what is wrong */
export function validateMemcachedOperator(name: string, args: MemcachedOperatorArgs): void {
  const kind = "MemcachedOperator";
  const unknown = validateKeys("args", args, Object.keys(names));
  if (args === null || typeof args !== "object") return refuse(kind, name, unknown);
  refuse(kind, name, [
    ...unknown,
    ...validateImage("image", args.image, true),
    ...validateImage("operandImage", args.operandImage, false),
    ...validateLabel("namespace", args.namespace),
    ...validatePrefix(args.namePrefix),
    ...validateWatchNamespaces(args.watchNamespaces),
    ...validateInteger("replicas", args.replicas, 0, 100),
    ...validateElection(args),
    ...(args.metrics === undefined ? [] : validateKeys("metrics", args.metrics, ["enabled", "port"])),
    ...validateFlag("metrics.enabled", args.metrics?.enabled),
    ...validateInteger("metrics.port", args.metrics?.port, 1024, 65535),
    ...(args.metrics?.port === 8081 ? ["metrics.port is 8081: that port serves the probes, give another"] : []),
    ...(args.proxy === undefined ? [] : validateKeys("proxy", args.proxy, ["httpProxy", "httpsProxy", "noProxy"])),
    ...validateOneOf("logLevel", args.logLevel, ["debug", "info", "warn", "error"]),
    ...validateStringMap("labels", args.labels),
    ...validateStringMap("annotations", args.annotations),
    ...validateStringMap("nodeSelector", args.nodeSelector),
    ...validateFlag("createNamespace", args.createNamespace),
    ...validateFlag("installCrds", args.installCrds),
    ...validateFlag("retainCrds", args.retainCrds),
    ...validateFlag("skipAwait", args.skipAwait),
    ...validateTimeout(args.readyTimeout),
  ]);
}

function validateImage(argument: string, value: unknown, required: boolean): string[] {
  if (value === undefined && !required) return [];
  if (value !== undefined && !isDeeplyKnown(value)) return [];
  if (typeof value === "string" && /^[^\s]+$/.test(value)) return [];
  return [`${argument} is ${JSON.stringify(value) ?? "missing"}: give an image reference, such as registry/name:tag`];
}

function validatePrefix(value: unknown): string[] {
  const known = typeof value === "string" && /^[a-z]([-a-z0-9]*[a-z0-9])?-?$/.test(value);
  if (value === undefined || (known && value.length <= longestPrefix)) return [];
  return [
    `namePrefix is ${isKnown(value) ? JSON.stringify(value) : "an Output"}: give at most ${longestPrefix} lower-case ` +
      `letters, digits and hyphens that start with a letter, such as "${defaultPrefix}"`,
  ];
}

function validateWatchNamespaces(value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0) {
    const got = isKnown(value) ? JSON.stringify(value) : "an Output";
    return [`watchNamespaces is ${got}: give a list of at least one namespace, or leave it out for all`];
  }
  return value.flatMap((item, i) => [
    ...validateLabel(`watchNamespaces[${i}]`, item),
    ...(isKnown(item) && value.indexOf(item) < i ? [`watchNamespaces holds "${item}" twice: give it once`] : []),
  ]);
}

function validateElection(args: MemcachedOperatorArgs): string[] {
  if (args.leaderElect !== undefined && isDeeplyKnown(args.leaderElect) && typeof args.leaderElect !== "boolean")
    return [`leaderElect is ${JSON.stringify(args.leaderElect)}: give true or false`];
  return args.leaderElect === false && typeof args.replicas === "number" && args.replicas > 1
    ? [`replicas is ${args.replicas} with leaderElect false: give 1 replica, or let them elect a leader`]
    : [];
}
