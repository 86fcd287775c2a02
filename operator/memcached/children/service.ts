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
  body(memcached) {
    return compact({
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...childMetadata(memcached), annotations: memcached.spec?.service?.annotations },
      spec: spec(memcached),
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
 * Headless by default: clients spread keys over the servers themselves, and need each address. Servers that are not ready are published
 * too, since a client that loses one from its list hashes its keys elsewhere. Behind one address such a server would only fail.
 */
function address(spec: Memcached["spec"]): V1ServiceSpec {
  return isHeadless(spec ?? {})
    ? { type: "ClusterIP", clusterIP: "None", publishNotReadyAddresses: true }
    : { type: spec?.service?.type };
}

function spec({ metadata, spec }: Memcached): V1ServiceSpec {
  return {
    ...address(spec),
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
