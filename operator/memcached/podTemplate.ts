import type { V1Container, V1PodTemplateSpec, V1Probe } from "@kubernetes/client-node";
import { partOf } from "./fields";
import type { Context } from "./fields/field";
import { labels } from "./labels";
import { containerPorts } from "./ports";
import { containerSecurity, podSecurity } from "./security";

/** How long a server keeps running after its deletion, so that endpoints and clients notice it first. */
const drainSeconds = 5;

/**
 * The pods of every workload: a container named `memcached`, within the restricted Pod Security Standard. The order of the keys is
 * part of the child's hash, and another hash means that every child is applied again: add new keys at the end.
 */
export function podTemplate(context: Context): V1PodTemplateSpec {
  const { labels: podLabels, ...metadata } = partOf("podMetadata", context);
  const { imagePullSecrets, ...others } = partOf("pod", context);
  return {
    metadata: { labels: { ...podLabels, ...labels(context.name) }, ...metadata },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      imagePullSecrets,
      securityContext: podSecurity(context.environment),
      ...others,
      containers: [container(context)],
    },
  };
}

function container(context: Context): V1Container {
  const { image, imagePullPolicy, args, resources, ...others } = partOf("container", context);
  return {
    name: "memcached",
    ...{ image, imagePullPolicy },
    command: ["memcached"],
    args,
    env: context.environment.proxy,
    ports: containerPorts(context.spec),
    resources,
    startupProbe: { ...accepts(), periodSeconds: 1, failureThreshold: 60 },
    readinessProbe: { ...accepts(), periodSeconds: 5, timeoutSeconds: 3 },
    // Acts slowly, because a restart loses all items.
    livenessProbe: { ...accepts(), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 },
    lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
    // The status shows the last log lines of a failed server.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity,
    ...others,
  };
}

/** A TCP connection is enough: memcached is ready once it accepts, and a protocol check would need a password with auth on. */
function accepts(): V1Probe {
  return { tcpSocket: { port: "memcached" } };
}
