import { Type } from "@sinclair/typebox";
import type { DefaultedSpec } from "../defaults";
import { defaulted, oneOf } from "../field";
import { reservedPrefix } from "../names";
import { labelKey } from "../patterns";
import { type Rule, formRule } from "../rule";
import { annotations, annotationsRules } from "../texts";

const defaultType = "ClusterIP";

export const properties = {
  service: Type.Optional(
    Type.Object(
      {
        type: defaulted(
          oneOf(["ClusterIP", "NodePort", "LoadBalancer"], {
            description:
              "ClusterIP, reached inside the cluster alone; or NodePort or LoadBalancer, behind whose one address each connection goes to any server. memcached asks nobody for a password: without sourceRanges a LoadBalancer is open to everyone who reaches its address, and a NodePort to everyone who reaches a node. A change to or from a headless Service makes it anew, with another address.",
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
        sourceRanges: Type.Optional(
          Type.Array(Type.String({ format: "cidr", maxLength: 49 }), {
            description:
              "Who may reach a LoadBalancer, as ranges of addresses, IPv4 and IPv6, from the moment it is made; where the load balancer's provider supports it. Left out or empty, everyone.",
            maxItems: 64,
            "x-kubernetes-list-type": "atomic",
            examples: [["10.0.0.0/8", "2001:db8::/32"]],
          }),
        ),
        externalTrafficPolicy: Type.Optional(
          oneOf(["Cluster", "Local"], {
            description:
              "Where a connection to a NodePort or LoadBalancer goes: Cluster, to a server on any node, or Local, only to one on the node that it reaches, by which the client's address is kept. Cluster when left out.",
            examples: ["Local"],
          }),
        ),
        loadBalancerClass: Type.Optional(
          Type.String({
            description:
              "Which of the cluster's load balancer controllers serves a LoadBalancer; the cluster's default when left out. Kubernetes lets nobody change it: a change makes the Service anew, with another address.",
            minLength: 1,
            maxLength: 253,
            examples: ["service.k8s.aws/nlb"],
          }),
        ),
        ipFamilyPolicy: Type.Optional(
          oneOf(["SingleStack", "PreferDualStack", "RequireDualStack"], {
            description:
              "Whether the Service has addresses of IPv4 and of IPv6: SingleStack, PreferDualStack, where the cluster has both, or RequireDualStack. Left out, of the cluster's first family alone.",
            examples: ["PreferDualStack"],
          }),
        ),
        ipFamilies: Type.Optional(
          Type.Array(oneOf(["IPv4", "IPv6"], { description: "A family of addresses.", examples: ["IPv6"] }), {
            description:
              "Families of the Service's addresses, the first one first: both with PreferDualStack and RequireDualStack, else one. Left out, as the cluster has them. Another first one makes the Service anew.",
            maxItems: 2,
            "x-kubernetes-list-type": "atomic",
            examples: [["IPv6"]],
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

type Service = NonNullable<DefaultedSpec["service"]>;

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
    predicate: (service: Service) => service.headless !== true || typeOf({ service }) === "ClusterIP",
  },
  ...(["sourceRanges", "loadBalancerClass"] as const).map((field): Rule => ({
    path: "spec.service",
    fieldPath: `.${field}`,
    cel: `!has(self.${field}) || self.type == 'LoadBalancer'`,
    message: `spec.service.${field} must go with a spec.service.type of LoadBalancer: set the type, or remove ${field}`,
    predicate: (service: Service) => service[field] === undefined || typeOf({ service }) === "LoadBalancer",
  })),
  formRule(
    "spec.service.loadBalancerClass",
    labelKey,
    "must be a class's name: write it like internal or example.com/internal",
  ),
  {
    path: "spec.service",
    fieldPath: ".externalTrafficPolicy",
    cel: "!has(self.externalTrafficPolicy) || self.type != 'ClusterIP'",
    message:
      "spec.service.externalTrafficPolicy must go with a spec.service.type of NodePort or LoadBalancer: set the type, or remove externalTrafficPolicy",
    predicate: (service: Service) => service.externalTrafficPolicy === undefined || typeOf({ service }) !== "ClusterIP",
  },
  {
    path: "spec.service",
    fieldPath: ".ipFamilies",
    cel: "!has(self.ipFamilies) || self.ipFamilies.size() == 0 || (has(self.ipFamilyPolicy) && self.ipFamilyPolicy != 'SingleStack' ? self.ipFamilies.size() == 2 && self.ipFamilies[0] != self.ipFamilies[1] : self.ipFamilies.size() == 1)",
    message:
      "spec.service.ipFamilies must hold both IPv4 and IPv6 with a spec.service.ipFamilyPolicy of PreferDualStack or RequireDualStack, and one of them without: add or remove one, or leave spec.service.ipFamilies out",
    predicate: ({ ipFamilies = [], ipFamilyPolicy = "SingleStack" }: Service) => {
      const [first, second] = ipFamilies;
      if (first === undefined) return true;
      return ipFamilyPolicy === "SingleStack" ? second === undefined : second !== undefined && first !== second;
    },
  },
  ...annotationsRules("spec.service.annotations"),
];
