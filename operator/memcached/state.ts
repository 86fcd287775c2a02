import { type Key, type TokenBucket, keyText } from "../runtime";
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
  /** Budget for Normal Events. */
  eventBudget?: TokenBucket;
}

/** Labels can name Memcacheds that do not exist, and no pass would forget those. */
const maxUnclaimed = 4096;

/** The state of each Memcached. */
export class KeyStates {
  private readonly states = new Map<string, KeyState>();
  /** The states of names from labels without a pass so far, the oldest first. */
  private readonly unclaimed = new Map<string, KeyState>();

  /** The state of a Memcached that exists. */
  of(key: Key): KeyState {
    const text = keyText(key);
    let state = this.states.get(text);
    if (!state) {
      state = this.unclaimed.get(text) ?? newState();
      this.unclaimed.delete(text);
      this.states.set(text, state);
    }
    return state;
  }

  /** The state of a Memcached named by a label, which may not exist. */
  ofLabel(key: Key): KeyState {
    const text = keyText(key);
    const known = this.states.get(text) ?? this.unclaimed.get(text);
    if (known) return known;
    const [oldest] = this.unclaimed.size < maxUnclaimed ? [] : this.unclaimed.keys();
    if (oldest !== undefined) this.unclaimed.delete(oldest);
    const state = newState();
    this.unclaimed.set(text, state);
    return state;
  }

  forget(key: Key): void {
    this.states.delete(keyText(key));
  }
}

function newState(): KeyState {
  return { children: {}, endedPods: [], statusWrites: {} };
}
