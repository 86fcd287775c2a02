import type { MemcachedSpec } from "./fields";
import type { MemcachedStatus } from "./status";

/** The metadata that this project reads. */
export interface MemcachedMetadata {
  name: string;
  namespace?: string;
  uid?: string;
  resourceVersion?: string;
  generation?: number;
  creationTimestamp?: string;
  deletionTimestamp?: string;
  labels?: Record<string, string>;
  annotations?: Record<string, string>;
  ownerReferences?: {
    apiVersion: string;
    kind: string;
    name: string;
    uid: string;
    controller?: boolean;
    blockOwnerDeletion?: boolean;
  }[];
  finalizers?: string[];
}

/** A Memcached object, as the API server returns it. */
export interface Memcached {
  apiVersion: string;
  kind: string;
  metadata: MemcachedMetadata;
  spec?: MemcachedSpec;
  status?: MemcachedStatus;
}
