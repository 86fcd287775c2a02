import { Type } from "@sinclair/typebox";
import { reservedPrefix } from "./ownedKeys";
import podTypes from "./podTypes.json";

/** A part of a pod, passed on as it is given. What it holds is described where pods are. */
type PodPart = Record<string, unknown>;

/** `type` is how programs that know Kubernetes' types call it. */
const podField = <T>(
  name: "affinity" | "tolerations" | "topologySpreadConstraints",
  type: string,
  description: string,
  example: unknown,
) =>
  Type.Optional(
    Type.Unsafe<T>({
      ...podTypes[name],
      description: `${description} See kubectl explain pod.spec.${name}.`,
      kubernetesType: type,
      examples: [example],
    }),
  );

/** Labels or annotations. */
export const texts = (description: string, maxLength: number, example: Record<string, string>) =>
  Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: "object",
      description,
      maxProperties: 32,
      additionalProperties: { type: "string", maxLength },
      examples: [example],
    }),
  );

/** What the servers' pods carry, and where they run. */
export const placementFields = {
  nodeSelector: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      ...podTypes.nodeSelector,
      description: "Labels that a node must have to run a server.",
      examples: [{ "node.example.com/pool": "cache" }],
    }),
  ),
  tolerations: podField<PodPart[]>(
    "tolerations",
    "core.v1.Toleration",
    "Taints of nodes that the servers put up with.",
    [{ key: "dedicated", operator: "Equal", value: "cache", effect: "NoSchedule" }],
  ),
  affinity: podField<PodPart>(
    "affinity",
    "core.v1.Affinity",
    "Nodes and other pods that the servers want to be on, or near, or away from.",
    {
      nodeAffinity: {
        requiredDuringSchedulingIgnoredDuringExecution: {
          nodeSelectorTerms: [{ matchExpressions: [{ key: "kubernetes.io/arch", operator: "In", values: ["amd64"] }] }],
        },
      },
    },
  ),
  topologySpreadConstraints: podField<PodPart[]>(
    "topologySpreadConstraints",
    "core.v1.TopologySpreadConstraint",
    "How the servers are spread over zones, nodes and the like. One without a labelSelector counts this resource's servers. Left out, they are spread over nodes, softly; an empty list spreads nothing.",
    [{ maxSkew: 1, topologyKey: "topology.kubernetes.io/zone", whenUnsatisfiable: "DoNotSchedule" }],
  ),
  priorityClassName: Type.Optional(
    Type.String({
      description: "PriorityClass of the servers' pods: who is placed first, and who has to go when a node is full.",
      minLength: 1,
      maxLength: 253,
      examples: ["cache-critical"],
    }),
  ),
  podLabels: texts("Labels for the servers' pods, beside the operator's own.", 63, { team: "checkout" }),
  podAnnotations: texts(
    `Annotations for the servers' pods; the prefix ${reservedPrefix} is the operator's. A change replaces the servers one by one.`,
    16384,
    { "example.com/backup": "never" },
  ),
};
