import type { TokenBucket } from "../runtime";
import type { SecretsSeen } from "./secrets/reader";
import type { EndedPod } from "./status/endedPods";
import type { LastApplied } from "./sync/drift";
import type { Refused } from "./sync/refusals";

/** What is remembered about a child. */
export interface ChildState {
  /** The object that was last seen under the owner's control. */
  controlled?: {
    uid?: string;
    ownerUid?: string;
    /** managedFields lists our fields under apply, not under the create, so that an apply can remove some. */
    isOwnedByApply?: boolean;
  };
  lastApplied?: LastApplied;
  /** The last refused request, until one succeeds. */
  refused?: Refused;
}

/** What is remembered about one Memcached between passes. Times are monotonic, in milliseconds. */
export interface KeyState {
  /** By kind. */
  children: Record<string, ChildState>;
  /** Since when its StatefulSet has had too few pods. */
  podsMissingSince?: number;
  /** The last failed pods. */
  endedPods: EndedPod[];
  statusWrites: {
    /** Since when a change has been ongoing that is not in the status yet. */
    underWaySince?: number;
    writtenAt?: number;
  };
  /** The last result of checking its Secrets. */
  secrets?: SecretsSeen;
  /** Budget for Normal Events. */
  eventBudget?: TokenBucket;
}
