import type { Input } from "@pulumi/pulumi";
import { defaultMemcachedImage } from "../../api";
import { lift, liftAll } from "../lift";
import { metricsParts } from "./metrics";
import type { KubeManifest, Scope } from "./names";
import type { OperatorManifestArgs } from "./options";

const healthPort = 8081;

const defaultResources = {
  limits: { cpu: "500m", memory: "256Mi" },
  requests: { cpu: "10m", memory: "64Mi" },
};

/**
 * The controller manager, with restricted Pod Security and a read-only root file system. It sets no user ID: that of the image is
 * numeric, and OpenShift assigns one.
 */
export function deployment(args: OperatorManifestArgs, s: Scope): KubeManifest {
  const { volumes } = metricsParts(args);
  return {
    apiVersion: "apps/v1",
    kind: "Deployment",
    metadata: {
      ...s.meta("controller-manager", s.namespace),
      labels: lift(s.labels, (given) => ({ ...given, ...s.selector })),
    },
    spec: {
      replicas: args.replicas ?? 1,
      selector: { matchLabels: s.selector },
      template: {
        metadata: {
          labels: lift(s.labels, (given) => ({ ...given, ...s.selector })),
          annotations: lift(s.annotations ?? {}, (given) => ({
            ...withoutPulumi(given),
            "kubectl.kubernetes.io/default-container": "manager",
          })),
        },
        spec: {
          serviceAccountName: s.name("controller-manager"),
          securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
          terminationGracePeriodSeconds: 30,
          ...(args.imagePullSecrets && {
            imagePullSecrets: lift(args.imagePullSecrets, (names) => names.map((name) => ({ name }))),
          }),
          ...(args.nodeSelector && { nodeSelector: args.nodeSelector }),
          ...(args.tolerations && { tolerations: args.tolerations }),
          ...(args.affinity && { affinity: args.affinity }),
          containers: [container(args)],
          ...(volumes.length > 0 && { volumes }),
        },
      },
    },
  };
}

function container(args: OperatorManifestArgs) {
  const { metrics, volumeMounts, certificateFlags } = metricsParts(args);
  return {
    name: "manager",
    image: args.image,
    imagePullPolicy: "IfNotPresent",
    args: [
      lift(args.leaderElect ?? true, (on) => (on ? "--leader-elect" : "--leader-elect=false")),
      `--health-probe-bind-address=:${healthPort}`,
      ...(metrics ? [lift(metrics.port, (port) => `--metrics-bind-address=:${port}`)] : ["--metrics-bind-address=0"]),
      ...(metrics?.secure === false ? ["--metrics-secure=false"] : certificateFlags),
      ...(args.clusterDomain !== undefined ? [lift(args.clusterDomain, (domain) => `--cluster-domain=${domain}`)] : []),
      ...(args.logLevel !== undefined ? [lift(args.logLevel, (level) => `--log-level=${level}`)] : []),
    ],
    env: environment(args),
    ports: [
      ...(metrics ? [{ name: "metrics", containerPort: metrics.port, protocol: "TCP" }] : []),
      { name: "health", containerPort: healthPort, protocol: "TCP" },
    ],
    livenessProbe: probe("/healthz", 15, 20),
    readinessProbe: probe("/readyz", 1, 5),
    resources: args.resources ?? defaultResources,
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    },
    ...(volumeMounts.length > 0 && { volumeMounts }),
  };
}

function environment(args: OperatorManifestArgs) {
  const variable = (name: string, value: Input<string> | undefined) => (value === undefined ? [] : [{ name, value }]);
  return [
    ...variable("MEMCACHED_IMAGE", args.operandImage ?? defaultMemcachedImage),
    ...variable("WATCH_NAMESPACE", args.watchNamespaces && liftAll(args.watchNamespaces, (names) => names.join(","))),
    // Includes the API server's defaults, so that applying the same again with another field manager has no conflict.
    { name: "POD_NAMESPACE", valueFrom: { fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" } } },
    ...variable("HTTP_PROXY", args.proxy?.httpProxy),
    ...variable("HTTPS_PROXY", args.proxy?.httpsProxy),
    ...variable("NO_PROXY", args.proxy?.noProxy),
  ];
}

const probe = (path: string, initialDelaySeconds: number, periodSeconds: number) => ({
  httpGet: { path, port: "health" },
  initialDelaySeconds,
  periodSeconds,
});

/** Pulumi's annotations apply to the object, not to its pods. */
function withoutPulumi<T>(annotations: { [key: string]: T }): { [key: string]: T } {
  return Object.fromEntries(Object.entries(annotations).filter(([key]) => !key.startsWith("pulumi.com/")));
}
