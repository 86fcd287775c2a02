import type { OperatorManifestArgs } from "./manifests";

/** How the operator is installed. */
export interface MemcachedOperatorArgs extends OperatorManifestArgs {
  /**
   * Whether to install the CustomResourceDefinition; false when it is there already, of another operator or by hand.
   * Must be known when the program runs.
   * Defaults to true.
   * @example false
   */
  installCrds?: boolean;
  /**
   * Whether `pulumi destroy` leaves the CustomResourceDefinition in the cluster. Deleting it deletes every Memcached of
   * the cluster, also those of other people. A replacement deletes it as well (`pulumi up --replace`, a provider for
   * another address of the cluster without `clusterIdentifier`), and with true it does not: give true in an update of its own first. Must be
   * known when the program runs.
   * Defaults to true.
   * @example false
   */
  retainCrds?: boolean;
  /**
   * How long `pulumi up` waits for the operator's pods before it fails: a duration, or a number of seconds.
   * Defaults to "5m".
   * @example "2m"
   */
  readyTimeout?: string;
  /**
   * Whether `pulumi up` goes on without waiting for the operator's pods.
   * Defaults to false.
   * @example true
   */
  skipAwait?: boolean;
  /**
   * Whether the program wins over what others wrote into the operator's objects: those of `kubectl apply -f
   * deploy/install.yaml`, and those of another stack's operator under the same names, are then taken over. Without it, an update that meets such a field fails and names it.
   * The CustomResourceDefinition is taken over in any case. Releases of the Kubernetes provider from 4.29 on take over what is there only when
   * their `upsertExistingObjects` is set.
   * Defaults to false.
   * @example true
   */
  patchForce?: boolean;
}
