import type { Memcached } from "../../../api";
import type { KubeObject, ResourceType } from "../../runtime";
import { partOf } from "../fields";
import type { Context } from "../fields/field";
import { labels } from "../labels";
import { ownerReference } from "../owner";
import type { EnvVar } from "../proxy";

/** What the children and the status take from the operator's environment. */
export interface Environment {
  /** The servers' image if the resource names none. */
  image: string;
  proxy: EnvVar[];
  /** False on OpenShift, where security context constraints assign the user IDs of each namespace. */
  fixedUser: boolean;
  /** The domain of the cluster's DNS. */
  clusterDomain: string;
}

/** A kind of object of which a Memcached owns one, with its own name. */
export interface Child {
  type: ResourceType;
  /** Exactly the fields that the operator owns, for server-side apply. For `takesOver` see `Context`. */
  body(memcached: Memcached, environment: Environment, takesOver?: boolean): KubeObject;
  /** Whether the API server would refuse to update the live object to the body, so that it must be recreated. */
  isReplaced?(live: KubeObject, body: KubeObject): boolean;
}

/** The metadata of a child. */
export function childMetadata({ metadata }: Memcached, context: Context): KubeObject["metadata"] {
  const { name, namespace } = metadata;
  const given = partOf("metadata", context).labels;
  return { name, namespace, labels: { ...given, ...labels(name) }, ownerReferences: [ownerReference({ metadata })] };
}
