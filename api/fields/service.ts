import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted, oneOf } from "../field";
import { reservedPrefix } from "../names";
import type { Rule } from "../rule";
import { annotations, annotationsRules } from "../texts";

const defaultType = "ClusterIP";

export const properties = {
  service: Type.Optional(
    Type.Object(
      {
        type: defaulted(
          oneOf(["ClusterIP", "NodePort", "LoadBalancer"], {
            description:
              "ClusterIP, which is headless here: its name leads to every server; or NodePort or LoadBalancer, behind whose one address each connection goes to any server. A change to or from ClusterIP makes the Service anew, with another address.",
            examples: ["LoadBalancer"],
          }),
          defaultType,
        ),
        annotations: Type.Optional(
          annotations(
            `Annotations of the Service, for load balancers and the like; the prefix ${reservedPrefix} is the operator's.`,
            { "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
          ),
        ),
      },
      { description: "The Service that leads to the servers. Headless when left out." },
    ),
  ),
};

const typeOf = ({ service }: Pick<DefaultedSpec, "service">): string => service?.type ?? defaultType;

/** Whether the Service has no address of its own, so that its name leads to each server. */
export const isHeadless = (spec: Pick<DefaultedSpec, "service">): boolean => typeOf(spec) === "ClusterIP";

export const rules: Rule[] = [
  {
    path: "spec",
    fieldPath: ".service.type",
    cel: "self.workload != 'StatefulSet' || !has(self.service) || self.service.type == 'ClusterIP'",
    message:
      "spec.service.type must be ClusterIP when spec.workload is StatefulSet, for the servers have names of their own only under a headless Service: leave spec.service.type out, or set spec.workload to Deployment",
    predicate: (spec: DefaultedSpec) => spec.workload !== "StatefulSet" || typeOf(spec) === "ClusterIP",
  },
  ...annotationsRules("spec.service.annotations"),
];
