import { Type } from "@sinclair/typebox";
import type { core } from "@pulumi/kubernetes/types/input";
import { defaultPrefix } from "./manifests";
import type { MetricsArgs, ProxyArgs } from "./manifests";
import { dnsLabel } from "../api/patterns";
import type { MemcachedOperatorArgs } from "./memcachedOperatorArgs";
import {
  annotations,
  clusterDomain,
  flag,
  labels,
  namespace,
  objectName,
  oneOf,
  quantities,
  timeout,
  word,
} from "./validation/forms";
import { validateOperatorOptions } from "./validation/options";
import { argsSchema, problemsOf } from "./validation/schema";
import { refuse } from "./validation/values";

const image = word("an image reference, such as registry/name:tag");
const proxyUrl = word(`a URL such as "http://proxy.example.com:3128"`);

/** The metrics Service has the longest name after the prefix, and a Service's name is a DNS label. */
const longestPrefix = 63 - "controller-manager-metrics-service".length;

/** A part of the pod that only the API server checks. */
const part = Type.Unsafe<object>({ type: "object" });

const toleration = argsSchema<core.v1.Toleration>({
  key: Type.String(),
  operator: oneOf(["Exists", "Equal"]),
  value: Type.String(),
  effect: oneOf(["NoSchedule", "PreferNoSchedule", "NoExecute"]),
  tolerationSeconds: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
});

const schema = argsSchema<MemcachedOperatorArgs>(
  {
    image,
    operandImage: image,
    namespace,
    createNamespace: flag,
    namePrefix: Type.String({
      pattern: `^(?=.{1,${longestPrefix}}$)[a-z]([-a-z0-9]*[a-z0-9])?-?$`,
      give:
        `at most ${longestPrefix} lower-case letters, digits and hyphens that start with a letter, ` +
        `such as "${defaultPrefix}"`,
      now: true,
    }),
    installCrds: flag,
    retainCrds: flag,
    watchNamespaces: Type.Array(namespace, {
      minItems: 1,
      uniqueItems: true,
      give: "a list of at least one namespace, or leave it out for all",
      now: true,
    }),
    secretAccess: Type.Array(
      Type.String({
        pattern: `${dnsLabel}|^[*]$`,
        give: 'a namespace, or "*" for all',
      }),
      {
        minItems: 1,
        uniqueItems: true,
        give: 'a list of namespaces, or ["*"] for all, or leave it out for none',
        now: true,
      },
    ),
    clusterDomain,
    replicas: Type.Integer({ minimum: 0, maximum: 100 }),
    resources: argsSchema<core.v1.ResourceRequirements>({
      requests: quantities,
      limits: quantities,
      claims: Type.Array(Type.Unsafe<core.v1.ResourceClaim & { name: string; request: string }>(part)),
    }),
    imagePullSecrets: Type.Array(objectName, { give: "a list of names of Secrets" }),
    proxy: argsSchema<ProxyArgs>(
      {
        httpProxy: proxyUrl,
        httpsProxy: proxyUrl,
        noProxy: word(`hosts and CIDRs separated by commas, such as ".svc,10.0.0.0/8"`),
      },
      { now: true },
    ),
    logLevel: oneOf(["debug", "info", "warn", "error"]),
    metrics: argsSchema<MetricsArgs>(
      {
        enabled: flag,
        secure: flag,
        port: Type.Integer({ minimum: 1024, maximum: 65535 }),
        certSecret: objectName,
      },
      { now: true },
    ),
    leaderElect: Type.Boolean(),
    nodeSelector: labels,
    tolerations: Type.Array(toleration, { give: "a list of tolerations" }),
    affinity: argsSchema<core.v1.Affinity>({ nodeAffinity: part, podAffinity: part, podAntiAffinity: part }),
    labels,
    annotations,
    readyTimeout: timeout,
    skipAwait: flag,
    patchForce: flag,
  },
  { required: ["image"], now: true },
);

/** Rules for several arguments. */
function* brokenRules({ replicas, leaderElect, metrics, secretAccess }: MemcachedOperatorArgs): Generator<string> {
  if (leaderElect === false && typeof replicas === "number" && replicas > 1)
    yield `replicas is ${replicas} with leaderElect false: give replicas 1, or leaderElect true`;
  if (metrics?.secure === false && metrics.certSecret !== undefined)
    yield "metrics.certSecret is given with metrics.secure false: leave out one of them";
  if (Array.isArray(secretAccess) && secretAccess.length > 1 && secretAccess.includes("*"))
    yield 'secretAccess has "*" together with namespaces: give ["*"] alone';
  if (metrics?.port === 8081) yield "metrics.port is 8081, the port of the health probes: give another port";
}

/** Checks the options and the known arguments. @throws RunError with all errors */
export function validateMemcachedOperator(name: string, args: MemcachedOperatorArgs, opts?: object): void {
  refuse("MemcachedOperator", name, [
    ...problemsOf("args", schema, args ?? null),
    ...brokenRules(args ?? {}),
    ...validateOperatorOptions(opts),
  ]);
}
