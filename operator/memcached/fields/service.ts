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
 * Headless by default: clients spread keys over the servers themselves, and need each address.
 *
 * A StatefulSet's servers keep their names, by which clients hash: those are published while a server is not ready, too, for a name that
 * cannot be resolved is an error where a server that is away is a miss. A Deployment's share one name, which must lead to none that is
 * going or yet to come; so it is until the last of a Deployment that a StatefulSet has taken over from.
 */
function address({ spec, takesOver }: Context): Partial<V1ServiceSpec> {
  if (!isHeadless(spec)) return { type: spec.service?.type ?? "ClusterIP" };
  const publishNotReadyAddresses = spec.workload === "StatefulSet" && !takesOver;
  return { type: "ClusterIP", clusterIP: "None", publishNotReadyAddresses };
}

/** The class that the Memcached names: controllers of load balancers note theirs in the spec, too, where it is none of ours. */
const ownClass = `${reservedPrefix}load-balancer-class`;

function outside({ spec: { service } }: Context): Partial<V1ServiceSpec> {
  return {
    loadBalancerSourceRanges: service?.sourceRanges,
    externalTrafficPolicy: service?.externalTrafficPolicy,
    loadBalancerClass: service?.loadBalancerClass,
  };
}

const families = ({ spec: { service } }: Context): Partial<V1ServiceSpec> => ({
  ...{ ipFamilyPolicy: service?.ipFamilyPolicy, ipFamilies: service?.ipFamilies },
});

const hasNoAddress = ({ spec }: V1Service): boolean => spec?.clusterIP === "None";

/** A load balancer's class stays with a Service as long as that is one. */
function isOfOtherClass(live: V1Service, body: V1Service): boolean {
  if (live.spec?.type !== "LoadBalancer" || body.spec?.type !== "LoadBalancer") return false;
  if (live.spec.loadBalancerClass === body.spec.loadBalancerClass) return false;
  return live.metadata?.annotations?.[ownClass] !== body.metadata?.annotations?.[ownClass];
}

/** An address once given, or denied, stays with a Service for its life. */
const isOtherwiseAddressed = (live: V1Service, body: V1Service): boolean => hasNoAddress(live) !== hasNoAddress(body);

/** The first family of addresses stays, too. */
function isOfOtherFamily({ spec: live }: V1Service, { spec: body }: V1Service): boolean {
  return body?.ipFamilies !== undefined && body.ipFamilies[0] !== live?.ipFamilies?.[0];
}

export const isReplaced: Child["isReplaced"] = (live, body) =>
  [isOtherwiseAddressed, isOfOtherClass, isOfOtherFamily].some((differs) =>
    differs(live as V1Service, body as V1Service),
  );
