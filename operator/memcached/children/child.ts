import type { Memcached } from "../../../api";
import type { KubeObject, ResourceType } from "../../runtime";
import { partOf } from "../fields";
import type { Context } from "../fields/field";
import { labels } from "../labels";
import { ownerReference } from "../owner";
import type { EnvVar } from "../proxy";

/** What the operator's own surroundings put into every child, and into the status. */
export interface Environment {
  /** The server's image where the resource names none. */
  image: string;
  proxy: EnvVar[];
  /** False on OpenShift, whose security context constraints give each namespace user IDs of its own and refuse others. */
  fixedUser: boolean;
  /** The domain that the full names of the cluster's Services end in. */
  clusterDomain: string;
}

/** A kind of object that a Memcached owns one of, under its own name. */
export interface Child {
  type: ResourceType;
  /**
   * Exactly the fields we own, for server-side apply: a pure function of the resource, and of whether servers of a Deployment are
   * there, or were just now, that its StatefulSet takes over from.
   */
  body(memcached: Memcached, environment: Environment, takesOver?: boolean): KubeObject;
  /** Whether the API server would refuse to make the live object what the body says, so that it has to be made anew. */
  isReplaced?(live: KubeObject, body: KubeObject): boolean;
}

/** The metadata of a child. */
export function childMetadata({ metadata }: Memcached, context: Context): KubeObject["metadata"] {
  const { name, namespace } = metadata;
  const given = partOf("metadata", context).labels;
  return { name, namespace, labels: { ...given, ...labels(name) }, ownerReferences: [ownerReference({ metadata })] };
}
