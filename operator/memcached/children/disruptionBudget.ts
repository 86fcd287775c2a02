import { compact } from "../compact";
import { partOf } from "../fields";
import { contextOf } from "../fields/field";
import { selectorLabels } from "../labels";
import { disruptionBudgetType } from "../types";
import { type Child, childMetadata } from "./child";

/** How many servers a drain of nodes may take at a time. */
export const disruptionBudget: Child = {
  type: disruptionBudgetType,
  body(memcached, environment) {
    const context = contextOf(memcached, environment);
    return compact({
      apiVersion: "policy/v1",
      kind: "PodDisruptionBudget",
      metadata: childMetadata(memcached, context),
      spec: {
        selector: { matchLabels: selectorLabels(context.name) },
        // A server that is not ready serves nobody: it must not hold up the drain of its node.
        unhealthyPodEvictionPolicy: "AlwaysAllow",
        ...partOf("disruptionBudget", context),
      },
    });
  },
};
