import type {
  V1Container,
  V1PodSecurityContext,
  V1PodTemplateSpec,
  V1Probe,
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

/** The pods of every workload: one container named `memcached`, within the restricted Pod Security Standard. */
export function podTemplate(memcached: Memcached, environment: Environment): V1PodTemplateSpec {
  const { name } = memcached.metadata;
  const spec = withDefaults(memcached.spec);
  return {
    metadata: { labels: labels(name) },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      imagePullSecrets: spec.imagePullSecrets,
      securityContext: podSecurity(environment),
      topologySpreadConstraints: spread(name),
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

/** Over the nodes, softly: a small cluster still runs them all. Each rollout is spread on its own. */
function spread(name: string): V1TopologySpreadConstraint[] {
  return [
    {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector: { matchLabels: selectorLabels(name) },
      matchLabelKeys: ["pod-template-hash"],
    },
  ];
}
