import type { V1DeploymentSpec } from "@kubernetes/client-node";
import { type Memcached, withDefaults } from "../../../api";
import { compact } from "../compact";
import { selectorLabels } from "../labels";
import { podTemplate } from "../podTemplate";
import { deploymentType } from "../types";
import { rollingUpdate } from "./rollingUpdate";
import { type Child, type Environment, childMetadata } from "./child";

export const deployment: Child = {
  type: deploymentType,
  body(memcached, environment) {
    return compact({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: childMetadata(memcached),
      spec: spec(memcached, environment),
    });
  },
};

function spec(memcached: Memcached, environment: Environment): V1DeploymentSpec {
  const wanted = withDefaults(memcached.spec);
  return {
    replicas: wanted.size,
    revisionHistoryLimit: 2,
    selector: { matchLabels: selectorLabels(memcached.metadata.name) },
    strategy: { type: "RollingUpdate", rollingUpdate: rollingUpdate(wanted) },
    template: podTemplate(memcached, environment, "pod-template-hash"),
  };
}
