import type { V1StatefulSetSpec } from "@kubernetes/client-node";
import { compact } from "../compact";
import { type Context, contextOf } from "../fields/field";
import { selectorLabels } from "../labels";
import { podTemplate } from "../podTemplate";
import { statefulSetType } from "../types";
import { type Child, childMetadata } from "./child";

export const statefulSet: Child = {
  type: statefulSetType,
  body(memcached, environment) {
    const context = contextOf(memcached, environment);
    return compact({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: childMetadata(memcached, context),
      spec: spec(context),
    });
  },
};

function spec(context: Context): V1StatefulSetSpec {
  return {
    replicas: context.spec.size,
    revisionHistoryLimit: 2,
    // The headless Service of this name gives the servers their names: NAME-0.NAME.NAMESPACE.svc.DOMAIN.
    serviceName: context.name,
    // Servers are independent, so none has to wait for another.
    podManagementPolicy: "Parallel",
    selector: { matchLabels: selectorLabels(context.name) },
    updateStrategy: { type: "RollingUpdate" },
    template: podTemplate(context),
  };
}
