import type { V1DeploymentSpec } from "@kubernetes/client-node";
import { compact } from "../compact";
import { partOf } from "../fields";
import { type Context, contextOf } from "../fields/field";
import { selectorLabels } from "../labels";
import { podTemplate } from "../podTemplate";
import { deploymentType } from "../types";
import { type Child, childMetadata } from "./child";

export const deployment: Child = {
  type: deploymentType,
  body(memcached, environment) {
    const context = contextOf(memcached, environment);
    return compact({
      apiVersion: "apps/v1",
      kind: "Deployment",
      metadata: childMetadata(memcached, context),
      spec: spec(context),
    });
  },
};

function spec(context: Context): V1DeploymentSpec {
  return {
    replicas: context.spec.size,
    revisionHistoryLimit: 2,
    selector: { matchLabels: selectorLabels(context.name) },
    ...partOf("deployment", context),
    template: podTemplate(context),
  };
}
