import { type Static, Type } from "@sinclair/typebox";

export const Condition = Type.Object(
  {
    type: Type.String({
      description: "Available, Progressing, Degraded or Ready.",
      minLength: 1,
      maxLength: 316,
    }),
    status: Type.Unsafe<"True" | "False" | "Unknown">({
      type: "string",
      description: "True, False or Unknown.",
      enum: ["True", "False", "Unknown"],
      maxLength: 7,
    }),
    observedGeneration: Type.Optional(
      Type.Integer({
        description: "The metadata.generation the condition speaks of.",
        format: "int64",
        minimum: 0,
      }),
    ),
    lastTransitionTime: Type.String({
      description: "When status last changed, in RFC 3339.",
      format: "date-time",
      maxLength: 40,
    }),
    reason: Type.String({ description: "One CamelCase word for programs.", minLength: 1, maxLength: 1024 }),
    message: Type.String({ description: "A sentence for people.", maxLength: 32768 }),
  },
  { description: "One aspect of the resource's state, after Kubernetes' API conventions." },
);

/** Every field of status; the operator writes them, people and tools read them. */
export const Status = Type.Object(
  {
    observedGeneration: Type.Optional(
      Type.Integer({
        description: "The metadata.generation that the operator has acted on; tools wait on it.",
        format: "int64",
        minimum: 0,
      }),
    ),
    conditions: Type.Optional(
      Type.Array(Condition, {
        description: "Available, Progressing, Degraded and Ready.",
        maxItems: 16,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["type"],
      }),
    ),
    nodes: Type.Optional(
      Type.Array(Type.String({ maxLength: 253 }), {
        description: "Names of the pods that belong to this resource, sorted; neither finished nor terminating ones.",
        maxItems: 1000,
        "x-kubernetes-list-type": "atomic",
      }),
    ),
    servers: Type.Optional(
      Type.Array(Type.String({ maxLength: 320 }), {
        description:
          "What clients connect to, as HOST:PORT with the host's full name, in an order that stays: NAME-0.NAME.NAMESPACE.svc.DOMAIN:PORT and so on for a StatefulSet, NAME.NAMESPACE.svc.DOMAIN:PORT for a Deployment.",
        maxItems: 100,
        "x-kubernetes-list-type": "atomic",
      }),
    ),
    replicas: Type.Optional(Type.Integer({ description: "Pods that exist.", format: "int32", minimum: 0 })),
    readyReplicas: Type.Optional(
      Type.Integer({ description: "Pods that are ready to serve.", format: "int32", minimum: 0 }),
    ),
    selector: Type.Optional(
      Type.String({ description: "Label selector of the pods, for the scale subresource.", maxLength: 512 }),
    ),
  },
  { description: "What is. Written by the operator." },
);

export const statusFields = Object.keys(Status.properties) as (keyof MemcachedStatus)[];

/** When a condition changed that nobody has written. */
const never = "1970-01-01T00:00:00Z";

const unseen = (type: string, message: string) => ({
  ...{ type, status: "Unknown" as const, reason: "Reconciling", message, lastTransitionTime: never },
});

/**
 * The CRD's default of status: what readers see before an operator has looked, so that none takes a Memcached for ready or done.
 * It is in no stored object.
 */
export const unseenStatus: Static<typeof Status> = {
  observedGeneration: 0,
  conditions: [
    unseen("Available", "Starting reconciliation"),
    unseen("Ready", "The operator has yet to look at this Memcached"),
  ],
};

/** A status without what the CRD's default has put into it; undefined when nobody has written any. */
export function writtenStatus(status: MemcachedStatus | undefined): MemcachedStatus | undefined {
  if (!status?.conditions?.some(isUnwritten)) return status;
  const conditions = status.conditions.filter((condition) => !isUnwritten(condition));
  const observedGeneration = status.observedGeneration || undefined;
  const others = Object.keys(status).some((field) => !(field in unseenStatus));
  if (!others && conditions.length === 0 && observedGeneration === undefined) return undefined;
  return { ...status, observedGeneration, conditions };
}

const isUnwritten = ({ lastTransitionTime }: Condition): boolean => lastTransitionTime === never;

export type Condition = Static<typeof Condition>;
export type MemcachedStatus = Static<typeof Status>;
