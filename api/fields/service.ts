import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted, oneOf } from "../field";
import { reservedPrefix } from "../names";
import { labelKey } from "../patterns";
import { type Rule, formRule } from "../rule";
import { annotations, annotationsRule } from "../texts";

const defaultType = "ClusterIP";

export const properties = {
  service: Type.Optional(
    Type.Object(
      {
        type: defaulted(
          oneOf(["ClusterIP", "NodePort", "LoadBalancer"], {
            description:
              "ClusterIP, for clients in the cluster; or NodePort or LoadBalancer, which have one address from which each connection goes to any server. memcached has no password by default: everyone who reaches a node can use a NodePort, and everyone who reaches the address can use a LoadBalancer without sourceRanges. A change to or from a headless Service recreates the Service with another address.",
            examples: ["LoadBalancer"],
          }),
          defaultType,
        ),
        headless: Type.Optional(
          Type.Boolean({
            description:
              "Whether a Service of type ClusterIP is headless, so that its DNS name resolves to every server. Default: true. With false it has one stable address from which each connection goes to any server: for clients that resolve a name only once, and best with one server. A change recreates the Service.",
            examples: [false],
          }),
        ),
        sourceRanges: Type.Optional(
          Type.Array(Type.String({ format: "cidr", maxLength: 49 }), {
            description:
              "Address ranges, IPv4 or IPv6, that may reach a LoadBalancer, if its provider supports this. Default: all.",
            maxItems: 64,
            "x-kubernetes-list-type": "atomic",
            examples: [["10.0.0.0/8", "2001:db8::/32"]],
          }),
        ),
        externalTrafficPolicy: Type.Optional(
          oneOf(["Cluster", "Local"], {
            description:
              "Where a NodePort or LoadBalancer sends a connection: Cluster, to a server on any node; Local, only to a server on the same node, which preserves the client's address. Default: Cluster.",
            examples: ["Local"],
          }),
        ),
        loadBalancerClass: Type.Optional(
          Type.String({
            description:
              "Class of the load balancer, for a LoadBalancer. Default: the cluster's default. Kubernetes does not allow a change, so the operator recreates the Service, with another address.",
            minLength: 1,
            maxLength: 253,
            examples: ["service.k8s.aws/nlb"],
          }),
        ),
        ipFamilyPolicy: Type.Optional(
          oneOf(["SingleStack", "PreferDualStack", "RequireDualStack"], {
            description:
              "Whether the Service has IPv4 and IPv6 addresses: SingleStack, PreferDualStack (if the cluster has both) or RequireDualStack. Default: only the cluster's first family.",
            examples: ["PreferDualStack"],
          }),
        ),
        ipFamilies: Type.Optional(
          Type.Array(oneOf(["IPv4", "IPv6"], { description: "An IP family.", examples: ["IPv6"] }), {
            description:
              "IP families of the Service, in order: both with PreferDualStack and RequireDualStack, otherwise one. Default: as the cluster has them. A change of the first one recreates the Service.",
            maxItems: 2,
            "x-kubernetes-list-type": "atomic",
            examples: [["IPv6"]],
          }),
        ),
        annotations: Type.Optional(
          annotations(
            `Annotations of the Service, for example for load balancers. The prefix ${reservedPrefix} is reserved for the operator.`,
            { "service.beta.kubernetes.io/aws-load-balancer-internal": "true" },
          ),
        ),
      },
      { description: "The Service in front of the servers. Default: a headless Service." },
    ),
  ),
};

type Service = NonNullable<DefaultedSpec["service"]>;

const typeOf = ({ service }: Pick<DefaultedSpec, "service">): string => service?.type ?? defaultType;

/** Whether the Service is headless: its DNS name resolves to each server. */
export const isHeadless = (spec: Pick<DefaultedSpec, "service">): boolean =>
  typeOf(spec) === "ClusterIP" && spec.service?.headless !== false;

export const rules: Rule[] = [
  {
    path: "spec",
    fieldPath: ".service",
    cel: "self.workload != 'StatefulSet' || !has(self.service) || (self.service.type == 'ClusterIP' && (!has(self.service.headless) || self.service.headless))",
    message:
      "spec.service must be headless when spec.workload is StatefulSet, because only then the servers have their own names: leave out spec.service.type and spec.service.headless, or set spec.workload to Deployment",
    predicate: (spec: DefaultedSpec) => spec.workload !== "StatefulSet" || isHeadless(spec),
  },
  {
    path: "spec.service",
    fieldPath: ".headless",
    cel: "!has(self.headless) || !self.headless || self.type == 'ClusterIP'",
    message:
      "spec.service.headless must not be true when spec.service.type is NodePort or LoadBalancer: leave spec.service.headless out, or set spec.service.type to ClusterIP",
    predicate: (service: Service) => service.headless !== true || typeOf({ service }) === "ClusterIP",
  },
  {
    path: "spec.service",
    cel: "self.type == 'LoadBalancer' || (!has(self.sourceRanges) && !has(self.loadBalancerClass))",
    message:
      "spec.service.sourceRanges and spec.service.loadBalancerClass require the spec.service.type LoadBalancer: set the type, or remove both fields",
    predicate: (service: Service) =>
      typeOf({ service }) === "LoadBalancer" || (service.sourceRanges ?? service.loadBalancerClass) === undefined,
  },
  formRule(
    "spec.service.loadBalancerClass",
    labelKey,
    "must be the name of a class: write it like internal or example.com/internal",
  ),
  {
    path: "spec.service",
    fieldPath: ".externalTrafficPolicy",
    cel: "!has(self.externalTrafficPolicy) || self.type != 'ClusterIP'",
    message:
      "spec.service.externalTrafficPolicy requires the spec.service.type NodePort or LoadBalancer: set the type, or remove externalTrafficPolicy",
    predicate: (service: Service) => service.externalTrafficPolicy === undefined || typeOf({ service }) !== "ClusterIP",
  },
  {
    path: "spec.service",
    fieldPath: ".ipFamilies",
    cel: "!has(self.ipFamilies) || self.ipFamilies.size() == 0 || (has(self.ipFamilyPolicy) && self.ipFamilyPolicy != 'SingleStack' ? self.ipFamilies.size() == 2 && self.ipFamilies[0] != self.ipFamilies[1] : self.ipFamilies.size() == 1)",
    message:
      "spec.service.ipFamilies must have both IPv4 and IPv6 if spec.service.ipFamilyPolicy is PreferDualStack or RequireDualStack, and otherwise only one: add or remove a family, or leave spec.service.ipFamilies out",
    predicate: ({ ipFamilies = [], ipFamilyPolicy = "SingleStack" }: Service) => {
      const [first, second] = ipFamilies;
      if (first === undefined) return true;
      return ipFamilyPolicy === "SingleStack" ? second === undefined : second !== undefined && first !== second;
    },
  },
  annotationsRule("spec.service.annotations"),
];
