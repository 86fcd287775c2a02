import type { V1ServiceSpec } from "@kubernetes/client-node";
import { type Memcached, withDefaults } from "../../../api";
import { compact } from "../compact";
import { selectorLabels } from "../labels";
import { serviceType } from "../types";
import { type Child, childMetadata } from "./child";

/**
 * Headless: clients spread keys over the servers themselves, and need each address. Servers that are not ready are published too,
 * since a client that loses one from its list hashes its keys elsewhere.
 */
export const service: Child = {
  type: serviceType,
  body(memcached) {
    return compact({
      apiVersion: "v1",
      kind: "Service",
      metadata: childMetadata(memcached),
      spec: spec(memcached),
    });
  },
};

function spec({ metadata, spec }: Memcached): V1ServiceSpec {
  return {
    clusterIP: "None",
    publishNotReadyAddresses: true,
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
