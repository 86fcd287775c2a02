import type { V1ServiceSpec } from "@kubernetes/client-node";
import { compact } from "../compact";
import { partOf } from "../fields";
import { type Context, contextOf } from "../fields/field";
import { isReplaced } from "../fields/service";
import { selectorLabels } from "../labels";
import { servicePorts } from "../ports";
import { serviceType } from "../types";
import { type Child, childMetadata } from "./child";

/** The Service that all servers share. It is also the domain of the names of a StatefulSet's servers. */
export const service: Child = {
  type: serviceType,
  body(memcached, environment, takesOver) {
    const context = contextOf(memcached, environment, takesOver);
    return compact({
      apiVersion: "v1",
      kind: "Service",
      metadata: { ...childMetadata(memcached, context), ...partOf("serviceMetadata", context) },
      spec: spec(context),
    });
  },
  isReplaced,
};

/** The order of the keys is part of the hash, as in `podTemplate`. */
function spec(context: Context): V1ServiceSpec {
  const { type, clusterIP, publishNotReadyAddresses, ...others } = partOf("service", context);
  return {
    ...{ type, clusterIP, publishNotReadyAddresses },
    selector: selectorLabels(context.name),
    ports: servicePorts(context.spec),
    ...others,
  };
}
