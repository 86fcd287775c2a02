import type { OperatorManifestArgs } from "./manifests";

/** How the operator is installed. */
export interface MemcachedOperatorArgs extends OperatorManifestArgs {
  /**
   * Whether to install the CustomResourceDefinition; false if it already exists. Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  installCrds?: boolean;
  /**
   * Whether the CustomResourceDefinition stays in the cluster on `pulumi destroy`. Deleting it deletes every Memcached in the
   * cluster, including those of others. The same applies to a replacement (`pulumi up --replace`, or a provider with another
   * address of the cluster and without `clusterIdentifier`); before one, set this to true in a separate update. Must be known
   * when the program runs.
   * Defaults to true.
   * @example false
   */
  retainCrds?: boolean;
  /**
   * How long `pulumi up` waits for the operator's pods: a duration, or a number of seconds.
   * Defaults to "5m".
   * @example "2m"
   */
  readyTimeout?: string;
  /**
   * Whether `pulumi up` does not wait for the operator's pods.
   * Defaults to false.
   * @example true
   */
  skipAwait?: boolean;
  /**
   * Whether the program overwrites fields that others have set in the operator's objects. With true, it also takes over the
   * objects of `kubectl apply -f deploy/install.yaml`, or of another stack with the same names. With false, an update fails
   * and names such a field. The CustomResourceDefinition is always taken over. To take over existing objects, the Kubernetes
   * provider 4.29 and later also requires its option `upsertExistingObjects`.
   * Defaults to false.
   * @example true
   */
  patchForce?: boolean;
}
