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
              "ClusterIP, reached inside the cluster alone; or NodePort or LoadBalancer, behind whose one address each connection goes to any server. A change to or from a headless Service makes it anew, with another address.",
            examples: ["LoadBalancer"],
          }),
          defaultType,
        ),
        headless: Type.Optional(
          Type.Boolean({
            description:
              "Whether a Service of type ClusterIP has no address of its own, so that its name leads to every server; true when left out. With false it has one address that stays, behind which each connection goes to any server: for clients that look a name up once, at their start, and would hold a dead server's address, and best with one server. A change makes the Service anew.",
            examples: [false],
          }),
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
export const isHeadless = (spec: Pick<DefaultedSpec, "service">): boolean =>
  typeOf(spec) === "ClusterIP" && spec.service?.headless !== false;

export const rules: Rule[] = [
  {
    path: "spec",
    fieldPath: ".service.type",
    cel: "self.workload != 'StatefulSet' || !has(self.service) || self.service.type == 'ClusterIP'",
    message:
      "spec.service.type must be ClusterIP when spec.workload is StatefulSet, for the servers have names of their own only under a headless Service: leave spec.service.type out, or set spec.workload to Deployment",
    predicate: (spec: DefaultedSpec) => spec.workload !== "StatefulSet" || typeOf(spec) === "ClusterIP",
  },
  {
    path: "spec",
    fieldPath: ".service.headless",
    cel: "self.workload != 'StatefulSet' || !has(self.service) || !has(self.service.headless) || self.service.headless",
    message:
      "spec.service.headless must not be false when spec.workload is StatefulSet, for the servers have names of their own only under a headless Service: leave spec.service.headless out, or set spec.workload to Deployment",
    predicate: ({ workload, service }: DefaultedSpec) => workload !== "StatefulSet" || service?.headless !== false,
  },
  {
    path: "spec.service",
    fieldPath: ".headless",
    cel: "!has(self.headless) || !self.headless || self.type == 'ClusterIP'",
    message:
      "spec.service.headless must not be true when spec.service.type is NodePort or LoadBalancer, which have an address: leave spec.service.headless out, or set spec.service.type to ClusterIP",
    predicate: (service: DefaultedSpec["service"]) => service?.headless !== true || typeOf({ service }) === "ClusterIP",
  },
  ...annotationsRules("spec.service.annotations"),
];
