import type { V1Affinity, V1Toleration, V1TopologySpreadConstraint } from "@kubernetes/client-node";
import { selectorLabels } from "../labels";
import type { Context, Field } from "./field";

export const placement: Field = {
  pod: (context) => ({
    nodeSelector: context.spec.nodeSelector,
    tolerations: context.spec.tolerations as V1Toleration[] | undefined,
    affinity: context.spec.affinity as V1Affinity | undefined,
    topologySpreadConstraints: spread(context),
    priorityClassName: context.spec.priorityClassName,
    schedulerName: context.spec.schedulerName,
    runtimeClassName: context.spec.runtimeClassName,
  }),
  origins: [
    [
      /^spec\.template\.spec\.(nodeSelector|tolerations|affinity|topologySpreadConstraints|priorityClassName|schedulerName|runtimeClassName)/,
      "spec.$1",
    ],
  ],
};

/** The label in which a workload's controller stores the revision of a pod. */
const revisionLabel = { Deployment: "pod-template-hash", StatefulSet: "controller-revision-hash" };

/**
 * The user's constraints, with this resource's pods as the default selector; otherwise over the nodes, without being required, so that
 * a small cluster runs all servers. Each revision is spread on its own.
 */
function spread({ name, spec }: Context): V1TopologySpreadConstraint[] {
  const labelSelector = { matchLabels: selectorLabels(name) };
  const given = spec.topologySpreadConstraints as V1TopologySpreadConstraint[] | undefined;
  if (given)
    return given.map((constraint) => ({ ...constraint, labelSelector: constraint.labelSelector ?? labelSelector }));
  return [
    {
      maxSkew: 1,
      topologyKey: "kubernetes.io/hostname",
      whenUnsatisfiable: "ScheduleAnyway",
      labelSelector,
      matchLabelKeys: [revisionLabel[spec.workload]],
    },
  ];
}
