import type { V1Service, V1ServiceSpec } from "@kubernetes/client-node";
import { isHeadless } from "../../../api";
import type { Child } from "../children/child";
import type { Context, Field } from "./field";

export const service: Field = {
  serviceMetadata: ({ spec }) => ({ annotations: spec.service?.annotations }),
  service: address,
  origins: [
    [/^metadata\.annotations/, "spec.service.annotations"],
    [/^spec\.type/, "spec.service.type"],
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

const hasNoAddress = ({ spec }: V1Service): boolean => spec?.clusterIP === "None";

/** An address once given, or denied, stays with a Service for its life. */
export const isReplaced: Child["isReplaced"] = (live, body) =>
  hasNoAddress(live as V1Service) !== hasNoAddress(body as V1Service);
