import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "./ownedKeys";
import { texts } from "./placement";

export const Service = Type.Object(
  {
    type: Type.Optional(
      Type.Unsafe<"ClusterIP" | "NodePort" | "LoadBalancer">({
        type: "string",
        description:
          "ClusterIP, which is headless here: its name leads to every server; or NodePort or LoadBalancer, behind whose one address each connection goes to any server. A change to or from ClusterIP makes the Service anew, with another address.",
        enum: ["ClusterIP", "NodePort", "LoadBalancer"],
        maxLength: 12,
        default: "ClusterIP",
        examples: ["LoadBalancer"],
      }),
    ),
    annotations: texts(
      `Annotations of the Service, for load balancers and the like; the prefix ${reservedPrefix} is the operator's.`,
      16384,
      { "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
    ),
  },
  { description: "The Service that leads to the servers. Headless when left out." },
);
