import type { V1ServiceSpec } from "@kubernetes/client-node";
import { compact } from "../compact";
import { partOf } from "../fields";
import { type Context, contextOf } from "../fields/field";
import { isReplaced } from "../fields/service";
import { selectorLabels } from "../labels";
import { servicePorts } from "../ports";
import { serviceType } from "../types";
import { type Child, childMetadata } from "./child";

/** The one name of all servers, and under a StatefulSet the domain of each one's own. */
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

/** The order of the keys counts, as in `podTemplate`. */
function spec(context: Context): V1ServiceSpec {
  const { type, clusterIP, publishNotReadyAddresses, ...others } = partOf("service", context);
  return {
    ...{ type, clusterIP, publishNotReadyAddresses },
    selector: selectorLabels(context.name),
    ports: servicePorts(context.spec),
    ...others,
  };
}
