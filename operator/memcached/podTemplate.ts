import type {
  V1Affinity,
  V1Container,
  V1PodSecurityContext,
  V1PodTemplateSpec,
  V1Probe,
  V1Toleration,
  V1TopologySpreadConstraint,
} from "@kubernetes/client-node";
import { type DefaultedSpec, type Memcached, withDefaults } from "../../api";
import { memcachedArgs } from "./args";
import type { Environment } from "./children/child";
import { labels, selectorLabels } from "./labels";
import { resources } from "./memory";

/** The user of the official image, which names it and so hides from `runAsNonRoot` that it is not root. */
const memcachedUser = 11211;

/** How long a server that must go keeps serving, so that clients and endpoints learn of it first. */
const drainSeconds = 5;

/**
 * The pods of every workload: one container named `memcached`, within the restricted Pod Security Standard. `revisionLabel` is where the
 * workload's controller notes the revision of a pod.
 */
export function podTemplate(memcached: Memcached, environment: Environment, revisionLabel: string): V1PodTemplateSpec {
  const { name } = memcached.metadata;
  const spec = withDefaults(memcached.spec);
  return {
    metadata: { labels: { ...spec.podLabels, ...labels(name) }, annotations: spec.podAnnotations },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      imagePullSecrets: spec.imagePullSecrets,
      securityContext: podSecurity(environment),
      nodeSelector: spec.nodeSelector,
      tolerations: spec.tolerations as V1Toleration[] | undefined,
      affinity: spec.affinity as V1Affinity | undefined,
      topologySpreadConstraints: spread(name, spec, revisionLabel),
      priorityClassName: spec.priorityClassName,
      containers: [container(spec, environment)],
    },
  };
}

function container(spec: DefaultedSpec, environment: Environment): V1Container {
  return {
    name: "memcached",
    image: spec.image ?? environment.image,
    imagePullPolicy: spec.imagePullPolicy,
    command: ["memcached"],
    args: memcachedArgs(spec),
    env: environment.proxy,
    ports: [{ name: "memcached", containerPort: spec.port, protocol: "TCP" }],
    resources: resources(spec) as V1Container["resources"],
    startupProbe: { ...accepts(), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...accepts(), periodSeconds: 5, timeoutSeconds: 3 },
    // Slow to act: a restart empties the server, so only one that is truly stuck is worth it.
    livenessProbe: { ...accepts(), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 },
    lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
    // Of a server that ends, its last words tell why.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ["ALL"] },
      readOnlyRootFilesystem: true,
    },
  };
}

/** A TCP connection suffices: memcached speaks as soon as it accepts, and a protocol check would need a password with auth on. */
function accepts(): V1Probe {
  return { tcpSocket: { port: "memcached" } };
}

function podSecurity(environment: Environment): V1PodSecurityContext {
  return {
    runAsNonRoot: true,
    ...(environment.fixedUser ? { runAsUser: memcachedUser, runAsGroup: memcachedUser } : {}),
    seccompProfile: { type: "RuntimeDefault" },
  };
}

/**
 * The user's constraints, which count this resource's servers unless they say whose; else over the nodes, softly, so that a small cluster
 * still runs them all. Each rollout is then spread on its own.
 */
function spread(name: string, spec: DefaultedSpec, revisionLabel: string): V1TopologySpreadConstraint[] {
  const labelSelector = { matchLabels: selectorLabels(name) };
  const given = spec.topologySpreadConstraints as V1TopologySpreadConstraint[] | undefined;
  if (given)
    return given.map((constraint) => ({ ...constraint, labelSelector: constraint.labelSelector ?? labelSelector }));
  return [
    {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector,
      matchLabelKeys: [revisionLabel],
    },
  ];
}
