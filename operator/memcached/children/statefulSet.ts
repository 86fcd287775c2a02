import type { V1StatefulSetSpec } from "@kubernetes/client-node";
import { type Memcached, withDefaults } from "../../../api";
import { compact } from "../compact";
import { selectorLabels } from "../labels";
import { podTemplate } from "../podTemplate";
import { statefulSetType } from "../types";
import { type Child, type Environment, childMetadata } from "./child";

export const statefulSet: Child = {
  type: statefulSetType,
  body(memcached, environment) {
    return compact({
      apiVersion: "apps/v1",
      kind: "StatefulSet",
      metadata: childMetadata(memcached),
      spec: spec(memcached, environment),
    });
  },
};

function spec(memcached: Memcached, environment: Environment): V1StatefulSetSpec {
  const { name } = memcached.metadata;
  return {
    replicas: withDefaults(memcached.spec).size,
    revisionHistoryLimit: 2,
    // The headless Service of this name makes the servers' own: NAME-0.NAME.NAMESPACE.svc.DOMAIN.
    serviceName: name,
    // Servers know nothing of each other: none has to wait for one that is down.
    podManagementPolicy: "Parallel",
    selector: { matchLabels: selectorLabels(name) },
    updateStrategy: { type: "RollingUpdate" },
    template: podTemplate(memcached, environment, "controller-revision-hash"),
  };
}
