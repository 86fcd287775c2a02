import { compact } from "../compact";
import { partOf } from "../fields";
import { contextOf } from "../fields/field";
import { selectorLabels } from "../labels";
import { networkPolicyType } from "../types";
import { type Child, childMetadata } from "./child";

/** Who may reach the servers, and whom they may reach: nobody, but for what a field allows. */
export const networkPolicy: Child = {
  type: networkPolicyType,
  body(memcached, environment) {
    const context = contextOf(memcached, environment);
    return compact({
      apiVersion: "networking.k8s.io/v1",
      kind: "NetworkPolicy",
      metadata: childMetadata(memcached, context),
      spec: {
        podSelector: { matchLabels: selectorLabels(context.name) },
        policyTypes: ["Ingress", "Egress"],
        ...partOf("networkPolicy", context),
      },
    });
  },
};
