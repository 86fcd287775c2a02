import type { V1Container, V1PodTemplateSpec, V1Probe } from "@kubernetes/client-node";
import { partOf } from "./fields";
import type { Context } from "./fields/field";
import { labels } from "./labels";
import { containerPorts } from "./ports";
import { containerSecurity, podSecurity } from "./security";

/** How long a server that must go keeps serving, so that clients and endpoints learn of it first. */
const drainSeconds = 5;

/**
 * The pods of every workload: a container named `memcached`, within the restricted Pod Security Standard. The order of the keys counts,
 * for a child carries the hash of its body, and with another hash all would be applied anew: what later fields give comes last.
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
    // Slow to act: a restart empties the server, so only one that is truly stuck is worth it.
    livenessProbe: { ...accepts(), periodSeconds: 20, timeoutSeconds: 5, failureThreshold: 6 },
    lifecycle: { preStop: { sleep: { seconds: drainSeconds } } },
    // Of a server that ends, its last words tell why.
    terminationMessagePolicy: "FallbackToLogsOnError",
    securityContext: containerSecurity,
    ...others,
  };
}

/** A TCP connection suffices: memcached speaks as soon as it accepts, and a protocol check would need a password with auth on. */
function accepts(): V1Probe {
  return { tcpSocket: { port: "memcached" } };
}
