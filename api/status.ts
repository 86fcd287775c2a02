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
        description: "The metadata.generation that the condition describes.",
        format: "int64",
        minimum: 0,
      }),
    ),
    lastTransitionTime: Type.String({
      description: "When status last changed, in RFC 3339.",
      format: "date-time",
      maxLength: 40,
    }),
    reason: Type.String({ description: "A CamelCase word for programs.", minLength: 1, maxLength: 1024 }),
    message: Type.String({ description: "A sentence for people.", maxLength: 32768 }),
  },
  { description: "One aspect of the resource's state, following the Kubernetes API conventions." },
);

/** Every field of status. */
export const Status = Type.Object(
  {
    observedGeneration: Type.Optional(
      Type.Integer({
        description: "The metadata.generation that the operator has processed. Tools wait for it.",
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
        description: "Sorted names of the pods of this resource, without finished and terminating ones.",
        maxItems: 1000,
        "x-kubernetes-list-type": "atomic",
      }),
    ),
    servers: Type.Optional(
      Type.Array(Type.String({ maxLength: 320 }), {
        description:
          "Addresses for clients, as HOST:PORT with full host names, in a stable order: NAME-0.NAME.NAMESPACE.svc.DOMAIN:PORT and so on for a StatefulSet, NAME.NAMESPACE.svc.DOMAIN:PORT for a Deployment.",
        maxItems: 100,
        "x-kubernetes-list-type": "atomic",
      }),
    ),
    replicas: Type.Optional(Type.Integer({ description: "Number of pods.", format: "int32", minimum: 0 })),
    readyReplicas: Type.Optional(Type.Integer({ description: "Number of ready pods.", format: "int32", minimum: 0 })),
    selector: Type.Optional(
      Type.String({ description: "Label selector of the pods, for the scale subresource.", maxLength: 512 }),
    ),
  },
  { description: "The observed state, written by the operator." },
);

export const statusFields = Object.keys(Status.properties) as (keyof MemcachedStatus)[];

/** The lastTransitionTime of a condition that the operator has not written. */
const never = "1970-01-01T00:00:00Z";

const unseen = (type: string, message: string) => ({
  ...{ type, status: "Unknown" as const, reason: "Reconciling", message, lastTransitionTime: never },
});

/**
 * The CRD's default of status. Readers see it before the operator has processed a Memcached, so that nobody takes the
 * resource for ready. It is never stored.
 */
export const unseenStatus: Static<typeof Status> = {
  observedGeneration: 0,
  conditions: [
    unseen("Available", "Starting reconciliation"),
    unseen("Ready", "The operator has not processed this Memcached yet"),
  ],
};

/** A status without what comes from the CRD's default; undefined if the operator has not written one. */
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
