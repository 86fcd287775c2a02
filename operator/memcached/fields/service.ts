import type { V1Service, V1ServiceSpec } from "@kubernetes/client-node";
import { isHeadless, reservedPrefix } from "../../../api";
import type { Child } from "../children/child";
import type { Context, Field } from "./field";

export const service: Field = {
  serviceMetadata: ({ spec: { service } }) => ({
    annotations: {
      ...service?.annotations,
      ...(service?.loadBalancerClass && { [ownClass]: service.loadBalancerClass }),
    },
  }),
  service: (context) => ({ ...address(context), ...outside(context), ...families(context) }),
  origins: [
    [/^metadata\.annotations/, "spec.service.annotations"],
    [/^spec\.loadBalancerSourceRanges/i, "spec.service.sourceRanges"],
    [/^spec\.(type|externalTrafficPolicy|loadBalancerClass|ipFamilyPolicy|ipFamilies)/, "spec.service.$1"],
  ],
};

/**
 * Headless by default, because clients distribute keys over the servers and need each address.
 *
 * The names of a StatefulSet's servers are published even if a server is not ready: clients treat a name that cannot be resolved as
 * an error, but an unavailable server only as a miss. The shared name of a Deployment's servers must resolve only to ready ones,
 * until the last of them is gone.
 */
function address({ spec, takesOver }: Context): Partial<V1ServiceSpec> {
  if (!isHeadless(spec)) return { type: spec.service?.type ?? "ClusterIP" };
  const publishNotReadyAddresses = spec.workload === "StatefulSet" && !takesOver;
  return { type: "ClusterIP", clusterIP: "None", publishNotReadyAddresses };
}

/** Annotation with the class that the Memcached names. A load balancer controller may set its own class in the spec. */
const ownClass = `${reservedPrefix}load-balancer-class`;

function outside({ spec: { service } }: Context): Partial<V1ServiceSpec> {
  return {
    loadBalancerSourceRanges: service?.sourceRanges,
    externalTrafficPolicy: service?.externalTrafficPolicy,
    loadBalancerClass: service?.loadBalancerClass,
  };
}

const families = ({ spec: { service } }: Context): Partial<V1ServiceSpec> => ({
  ipFamilyPolicy: service?.ipFamilyPolicy,
  ipFamilies: service?.ipFamilies,
});

const hasNoAddress = ({ spec }: V1Service): boolean => spec?.clusterIP === "None";

/** The class of a LoadBalancer is immutable. */
function isOfOtherClass(live: V1Service, body: V1Service): boolean {
  if (live.spec?.type !== "LoadBalancer" || body.spec?.type !== "LoadBalancer") return false;
  if (live.spec.loadBalancerClass === body.spec.loadBalancerClass) return false;
  return live.metadata?.annotations?.[ownClass] !== body.metadata?.annotations?.[ownClass];
}

/** A Service cannot change between headless and not headless. */
const isOtherwiseAddressed = (live: V1Service, body: V1Service): boolean => hasNoAddress(live) !== hasNoAddress(body);

/** The first IP family is immutable. */
function isOfOtherFamily({ spec: live }: V1Service, { spec: body }: V1Service): boolean {
  return body?.ipFamilies !== undefined && body.ipFamilies[0] !== live?.ipFamilies?.[0];
}

export const isReplaced: Child["isReplaced"] = (live, body) =>
  [isOtherwiseAddressed, isOfOtherClass, isOfOtherFamily].some((differs) =>
    differs(live as V1Service, body as V1Service),
  );
