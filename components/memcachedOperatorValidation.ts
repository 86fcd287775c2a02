import { validateTimeout } from "./duration";
import { isKnown } from "./lift";
import { defaultPrefix } from "./manifests";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";
import { validateAnnotations, validateLabels } from "./validation/metadata";
import { validateOperatorOptions } from "./validation/options";
import { validatePodArgs } from "./validation/pod";
import {
  refuse,
  show,
  validateBoolean,
  validateClusterDomain,
  validateFlag,
  validateInteger,
  validateKeys,
  validateLabel,
  validateList,
  validateObjectName,
  validateOneOf,
  validateWord,
} from "./validation/values";

const names: Record<keyof MemcachedOperatorArgs, true> = {
  image: true,
  operandImage: true,
  namespace: true,
  createNamespace: true,
  namePrefix: true,
  installCrds: true,
  retainCrds: true,
  watchNamespaces: true,
  clusterDomain: true,
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
  patchForce: true,
};

const imageReference = "an image reference, such as registry/name:tag";

/** The longest name under the prefix is that of the metrics Service, and a Service's name is a DNS label. */
const longestPrefix = 63 - "controller-manager-metrics-service".length;

/** Checks what is known of the arguments. @throws RunError with every sentence of what is wrong */
export function validateMemcachedOperator(name: string, args: MemcachedOperatorArgs, opts?: object): void {
  const kind = "MemcachedOperator";
  const unknown = validateKeys("args", args, Object.keys(names));
  if (args === null || typeof args !== "object") return refuse(kind, name, unknown);
  refuse(kind, name, [
    ...unknown,
    ...(args.image === undefined ? [`image is missing: give ${imageReference}`] : []),
    ...validateWord("image", args.image, imageReference),
    ...validateWord("operandImage", args.operandImage, imageReference),
    ...validateLabel("namespace", args.namespace),
    ...validateFlag("createNamespace", args.createNamespace),
    ...validatePrefix(args.namePrefix),
    ...validateFlag("installCrds", args.installCrds),
    ...validateFlag("retainCrds", args.retainCrds),
    ...validateWatchNamespaces(args.watchNamespaces),
    ...validateClusterDomain("clusterDomain", args.clusterDomain),
    ...validateInteger("replicas", args.replicas, 0, 100),
    ...validateElection(args),
    ...validateList("imagePullSecrets", args.imagePullSecrets, "Secrets' names", validateObjectName),
    ...validateProxy(args.proxy),
    ...validateOneOf("logLevel", args.logLevel, ["debug", "info", "warn", "error"]),
    ...validateMetrics(args.metrics),
    ...validatePodArgs(args),
    ...validateLabels("labels", args.labels),
    ...validateAnnotations("annotations", args.annotations),
    ...validateTimeout(args.readyTimeout),
    ...validateFlag("skipAwait", args.skipAwait),
    ...validateFlag("patchForce", args.patchForce),
    ...validateOperatorOptions(opts),
  ]);
}

function validateProxy(value: unknown): string[] {
  if (value === undefined) return [];
  const wrong = validateKeys("proxy", value, ["httpProxy", "httpsProxy", "noProxy"]);
  if (value === null || typeof value !== "object") return wrong;
  const { httpProxy, httpsProxy, noProxy } = value as Record<string, unknown>;
  return [
    ...wrong,
    ...validateWord("proxy.httpProxy", httpProxy, `a URL such as "http://proxy.example.com:3128"`),
    ...validateWord("proxy.httpsProxy", httpsProxy, `a URL such as "http://proxy.example.com:3128"`),
    ...validateWord("proxy.noProxy", noProxy, `hosts and CIDRs separated by commas, such as ".svc,10.0.0.0/8"`),
  ];
}

function validateMetrics(value: unknown): string[] {
  if (value === undefined) return [];
  const wrong = validateKeys("metrics", value, ["enabled", "secure", "port", "certSecret"]);
  if (value === null || typeof value !== "object") return wrong;
  const { enabled, secure, port, certSecret } = value as Record<string, unknown>;
  return [
    ...wrong,
    ...validateFlag("metrics.enabled", enabled),
    ...validateFlag("metrics.secure", secure),
    ...(certSecret === undefined ? [] : validateObjectName("metrics.certSecret", certSecret)),
    ...(secure === false && certSecret !== undefined
      ? ["metrics.certSecret is given with metrics.secure false: leave one of them out"]
      : []),
    ...validateInteger("metrics.port", port, 1024, 65535),
    ...(port === 8081 ? ["metrics.port is 8081: that port serves the probes, give another"] : []),
  ];
}

function validatePrefix(value: unknown): string[] {
  const known = typeof value === "string" && /^[a-z]([-a-z0-9]*[a-z0-9])?-?$/.test(value);
  if (value === undefined || (known && value.length <= longestPrefix)) return [];
  return [
    `namePrefix is ${show(value)}: give at most ${longestPrefix} lower-case ` +
      `letters, digits and hyphens that start with a letter, such as "${defaultPrefix}"`,
  ];
}

function validateWatchNamespaces(value: unknown): string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length === 0)
    return [`watchNamespaces is ${show(value)}: give a list of at least one namespace, or leave it out for all`];
  return value.flatMap((item, i) => [
    ...validateLabel(`watchNamespaces[${i}]`, item),
    ...(isKnown(item) && value.indexOf(item) < i ? [`watchNamespaces holds "${item}" twice: give it once`] : []),
  ]);
}

function validateElection(args: MemcachedOperatorArgs): string[] {
  const wrong = validateBoolean("leaderElect", args.leaderElect);
  return args.leaderElect === false && typeof args.replicas === "number" && args.replicas > 1
    ? [`replicas is ${args.replicas} with leaderElect false: give 1 replica, or let them elect a leader`]
    : wrong;
}
