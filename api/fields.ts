import { type Static, type TSchema, Type } from "@sinclair/typebox";
import { itemSizeBounds, memoryBounds, memoryHeadroom, ownFiles } from "./bounds";
import { ExtraArgs } from "./extraArgs";
import { placementFields } from "./placement";
import podTypes from "./podTypes.json";
import { Rollout } from "./rollout";
import { Service } from "./service";

/** The official image a server runs unless the resource or the operator's MEMCACHED_IMAGE says otherwise. */
export const defaultMemcachedImage = "docker.io/library/memcached:1.6.45-alpine3.24";

type Quantities = Record<string, number | string>;

/** A map of quantities, which people write as numbers or as strings, as in a pod (`cpu: 2`, `cpu: 500m`). */
const quantities = (
  list: "requests" | "limits",
  description: string,
  example: Record<string, string>,
): TSchema & { static: Quantities } =>
  Type.Unsafe<Quantities>({
    ...podTypes.resources.properties[list],
    additionalProperties: {
      ...podTypes.resources.properties[list].additionalProperties,
      examples: ["500m", "128Mi"],
    },
    // As many as there are names; each costs the API server, to which a quantity may be of any length.
    maxProperties: 3,
    description,
    examples: [example],
  });

const ImagePullSecret = Type.Object(
  {
    name: Type.String({
      description: "Name of a Secret of type kubernetes.io/dockerconfigjson in the resource's namespace.",
      minLength: 1,
      maxLength: 253,
      examples: ["registry-credentials"],
    }),
  },
  { description: "A reference to one Secret." },
);

const Resources = Type.Object(
  {
    requests: Type.Optional(
      quantities(
        "requests",
        "What the scheduler reserves for one server: cpu, memory, ephemeral-storage. Left out, it is the limit of the same name, if there is one.",
        {
          cpu: "100m",
          memory: "96Mi",
        },
      ),
    ),
    limits: Type.Optional(
      quantities(
        "limits",
        `What one server may use at most. A memory limit leaves at least ${memoryHeadroom} above memory, for connections and the hash table; left out, it is the derived one, or the memory request where that is larger. Every server has one, for without it a full node ends the servers first, and quotas refuse them: where none is wanted, give a limit far above the request.`,
        { memory: "128Mi" },
      ),
    ),
  },
  {
    description:
      "CPU, memory and ephemeral-storage of each server's container, each name by itself: what is said of one leaves the others as they are. Without memory, request and limit are derived from memory, threads and connections; without cpu, 100m is requested, and there is no limit; of a name that has a limit alone, as much is requested.",
  },
);

/** Every field of spec, in the order people read them; everything else that describes a field is made from this. */
export const Spec = Type.Object(
  {
    size: Type.Optional(
      Type.Integer({
        description:
          "Servers wanted, 0 to 100. kubectl scale and a HorizontalPodAutoscaler write this field. Where it is left out, the operator fills in the number of servers that run, and 1 for a new resource: taking it out of a manifest ends no server.",
        format: "int32",
        minimum: 0,
        maximum: 100,
        examples: [3],
        componentNote:
          "Left out, it is not sent, so that kubectl scale or an autoscaler can own it; given, the program wins.",
      }),
    ),
    image: Type.Optional(
      Type.String({
        description:
          "Container image of the server, with a tag or a digest. When left out, the operator's MEMCACHED_IMAGE, which defaults to the official image at a pinned version.",
        minLength: 1,
        maxLength: 512,
        examples: [defaultMemcachedImage],
      }),
    ),
    imagePullPolicy: Type.Optional(
      Type.Unsafe<"Always" | "IfNotPresent" | "Never">({
        type: "string",
        description: "When the node pulls the image: Always, IfNotPresent or Never.",
        enum: ["Always", "IfNotPresent", "Never"],
        maxLength: 12,
        default: "IfNotPresent",
        examples: ["Always"],
      }),
    ),
    imagePullSecrets: Type.Optional(
      Type.Array(ImagePullSecret, {
        description: "Secrets with which the node pulls the image from a private registry.",
        maxItems: 16,
        "x-kubernetes-list-type": "map",
        "x-kubernetes-list-map-keys": ["name"],
        examples: [[{ name: "registry-credentials" }]],
      }),
    ),
    port: Type.Optional(
      Type.Integer({
        description:
          "TCP port the servers listen on, 1024 to 65535. The Service has the same port, named memcached: SRV records are at _memcached._tcp.NAME.NAMESPACE.svc.DOMAIN.",
        format: "int32",
        minimum: 1024,
        maximum: 65535,
        default: 11211,
        examples: [11311],
      }),
    ),
    memory: Type.Optional(
      Type.String({
        description: `Memory for items on each server (memcached -m), in whole mebibytes, ${memoryBounds.min} to ${memoryBounds.max}. The container needs more; see resources.`,
        maxLength: 24,
        default: "64Mi",
        examples: ["1Gi"],
      }),
    ),
    connections: Type.Optional(
      Type.Integer({
        description: `Simultaneous client connections each server accepts (memcached -c), 32 to 500000. The server opens ${ownFiles.each} files for each thread out of the same number. It needs as many open files: on a node that allows its containers fewer (LimitNOFILE of its container runtime) memcached does not start, and Degraded says so.`,
        format: "int32",
        minimum: 32,
        maximum: 500000,
        default: 1024,
        examples: [4096],
      }),
    ),
    threads: Type.Optional(
      Type.Integer({
        description:
          "Worker threads of each server (memcached -t), 1 to 128. More than the CPUs it may use gain nothing.",
        format: "int32",
        minimum: 1,
        maximum: 128,
        default: 4,
        examples: [8],
      }),
    ),
    maxItemSize: Type.Optional(
      Type.String({
        description: `Largest item the servers store (memcached -I): a multiple of ${itemSizeBounds.step}, from ${itemSizeBounds.min} to ${itemSizeBounds.max}, and at most half of memory. As many of that size can be written at once as memory holds, less one, so four writers need a memory of five times this; what finds no place is answered "SERVER_ERROR Out of memory during read". A server that small values have filled stores none of 2Mi and more, however large it is: give those a cache of their own.`,
        maxLength: 24,
        default: "1Mi",
        examples: ["4Mi"],
      }),
    ),
    verbosity: Type.Optional(
      Type.Integer({
        description: "What the servers log: 0 is nothing, 1 errors and warnings (-v), 2 also every command (-vv).",
        format: "int32",
        minimum: 0,
        maximum: 2,
        default: 1,
        examples: [2],
      }),
    ),
    extraArgs: Type.Optional(ExtraArgs),
    resources: Type.Optional(Resources),
    workload: Type.Optional(
      Type.Unsafe<"Deployment" | "StatefulSet">({
        type: "string",
        description:
          "What runs the servers: a Deployment, whose servers share one name, or a StatefulSet, where each has a name that stays, for clients that hash keys over servers. A change makes the new one first and removes the old one when the new one is available; items are not moved.",
        enum: ["Deployment", "StatefulSet"],
        maxLength: 11,
        default: "Deployment",
        examples: ["StatefulSet"],
      }),
    ),
    rollout: Type.Optional(Rollout),
    ...placementFields,
    service: Type.Optional(Service),
  },
  { description: "What is wanted." },
);

export type MemcachedSpec = Static<typeof Spec>;
