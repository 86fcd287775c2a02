import type { V1ServiceSpec } from "@kubernetes/client-node";
import { type Memcached, isHeadless, withDefaults } from "../../../api";
import type { KubeObject } from "../../runtime";
import { compact } from "../compact";
import { selectorLabels } from "../labels";
import { serviceType } from "../types";
import { type Child, childMetadata } from "./child";

/** The one name of all servers, and under a StatefulSet the domain of each one's own. */
export const service: Child = {
  type: serviceType,
  body(memcached, _environment, takesOver = false) {
    return compact({
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...childMetadata(memcached), annotations: memcached.spec?.service?.annotations },
      spec: spec(memcached, takesOver),
    });
  },
  // An address once given, or denied, stays with a Service for its life.
  isReplaced: (live, body) => hasNoAddress(live) !== hasNoAddress(body),
};

interface Addressed extends KubeObject {
  spec?: { clusterIP?: string };
}

const hasNoAddress = (service: KubeObject): boolean => (service as Addressed).spec?.clusterIP === "None";

/**
 * Headless by default: clients spread keys over the servers themselves, and need each address.
 *
 * A StatefulSet's servers keep their names, by which clients hash: those are published while a server is not ready, too, for a name that
 * cannot be resolved is an error where a server that is away is a miss. A Deployment's share one name, which must lead to none that is
 * going or yet to come; so it is until the last of a Deployment that a StatefulSet has taken over from.
 */
function address(spec: Memcached["spec"], takesOver: boolean): V1ServiceSpec {
  if (!isHeadless(spec ?? {})) return { type: spec?.service?.type };
  const publishNotReadyAddresses = withDefaults(spec).workload === "StatefulSet" && !takesOver;
  return { type: "ClusterIP", clusterIP: "None", publishNotReadyAddresses };
}

function spec({ metadata, spec }: Memcached, takesOver: boolean): V1ServiceSpec {
  return {
    ...address(spec, takesOver),
    selector: selectorLabels(metadata.name),
    ports: [
      {
        name: "memcached",
        port: withDefaults(spec).port,
        targetPort: "memcached",
        protocol: "TCP",
      },
    ],
  };
}
