import type { V1PodSecurityContext, V1SecurityContext } from "@kubernetes/client-node";
import type { Environment } from "./children/child";

/** The user of the official image, which names it and so hides from `runAsNonRoot` that it is not root. */
const memcachedUser = 11211;

/** What the restricted Pod Security Standard asks of a pod. `hasFiles`: the pod's group may read the files of its volumes. */
export function podSecurity(environment: Environment, hasFiles = false): V1PodSecurityContext {
  return {
    runAsNonRoot: true,
    ...(environment.fixedUser ? { runAsUser: memcachedUser, runAsGroup: memcachedUser } : {}),
    ...(environment.fixedUser && hasFiles ? { fsGroup: memcachedUser } : {}),
    seccompProfile: { type: "RuntimeDefault" },
  };
}

/** What it asks of a container. */
export const containerSecurity: V1SecurityContext = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ["ALL"] },
  readOnlyRootFilesystem: true,
};
