import type { V1DeploymentSpec } from "@kubernetes/client-node";
import { type Memcached, withDefaults } from "../../../api";
import { compact } from "../compact";
import { selectorLabels } from "../labels";
import { podTemplate } from "../podTemplate";
import { deploymentType } from "../types";
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
  return {
    replicas: withDefaults(memcached.spec).size,
    revisionHistoryLimit: 2,
    selector: { matchLabels: selectorLabels(memcached.metadata.name) },
    // One server at a time, the new one first: each server that goes takes its share of the cache with it.
    strategy: { type: "RollingUpdate", rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
    template: podTemplate(memcached, environment, "pod-template-hash"),
  };
}
