import { type Key, type TokenBucket, keyText } from "../runtime";
import type { SecretsSeen } from "./secrets/reader";
import type { EndedPod } from "./status/endedPods";
import type { LastApplied } from "./sync/drift";
import type { Refused } from "./sync/refusals";

/** What is remembered of a child. */
export interface ChildState {
  /** The object that was seen to be controlled by its owner. */
  controlled?: Controlled;
  lastApplied?: LastApplied;
  /** The request that was refused last, until one succeeds. */
  refused?: Refused;
}

export interface Controlled {
  uid?: string;
  ownerUid?: string;
  /** Its fields are known to be ours by apply, not by the create: an apply may drop some. */
  isOwnedByApply?: boolean;
}

/** All that is remembered of one Memcached from pass to pass. Times are of a clock that only goes forward, in milliseconds. */
export interface KeyState {
  /** By kind. */
  children: Record<string, ChildState>;
  /** Since when its StatefulSet has had fewer pods than it should. */
  podsMissingSince?: number;
  /** The last pods that ended, although a server runs for ever. */
  endedPods: EndedPod[];
  statusWrites: {
    /** Since when a change has been under way that no status tells of yet. */
    underWaySince?: number;
    writtenAt?: number;
  };
  /** What the last look at its Secrets found. */
  secrets?: SecretsSeen;
  /** How many Normal Events it may still have. */
  eventBudget?: TokenBucket;
}

/** Labels can name Memcacheds that do not exist, so that no pass forgets them. */
const maxUnclaimed = 4096;

/** The state of each Memcached. */
export class KeyStates {
  private readonly states = new Map<string, KeyState>();
  /** Of names on labels that no pass has been for, the oldest first. */
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

  /** The state of a Memcached that a label names, which may not exist. */
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
