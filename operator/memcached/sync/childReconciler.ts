import type { Memcached } from "../../../api";
import type { Client, Key, KubeObject, ReconcileContext, Store } from "../../runtime";
import { isApiError, keyOf } from "../../runtime";
import type { Child } from "../children/child";
import { type RecordEvent, adoptedEvent, childEvent } from "../events";
import { fieldManager } from "../labels";
import { controllerOf, isControlledBy, memcachedOwner, orphanOf, ownerReference } from "../owner";
import type { ChildState, KeyState } from "../state";
import type { Problem } from "../status/observedState";
import { isGenerationObserved } from "../status/status";
import { type DesiredChild, InvalidSpecError, hashOf, replicasOf } from "./desired";
import { type Action, detectDrift, fingerprint, noteApplied } from "./drift";
import { type Refusal, backOff, backingOff, immutableProblem, isNamespaceTerminating, refusalOf } from "./refusals";

/** The result of a child in a pass. Empty if the child is ours and in the desired state. */
export interface ChildResult extends Refusal {
  /** The spec is invalid. */
  invalid?: Problem;
  /** What is being deleted, so that nothing may be created. */
  terminating?: "namespace" | "owner";
  /** Try again after this time at the latest. */
  retryAfterMs?: number;
  /** An error that an immediate retry may solve. */
  error?: unknown;
}

/** One pass over a Memcached. */
export interface Pass extends ReconcileContext {
  memcached: Memcached;
  /** Asks the API server whether the owner exists and is not being deleted. */
  ownerExists: () => Promise<boolean>;
  recordEvent: RecordEvent;
  children: KeyState["children"];
}

/** Brings the child of one kind to the desired state, usually with at most one write. */
export class ChildReconciler {
  constructor(
    private readonly child: Pick<Child, "type" | "isReplaced">,
    private readonly store: Store,
    private readonly client: Client,
    private readonly clock: () => number,
  ) {}

  /** `heldBy` keeps it as it is, but for the number of replicas. */
  async reconcile(desired: DesiredChild, pass: Pass, heldBy?: Problem): Promise<ChildResult> {
    try {
      return await this.step(desired, pass, heldBy);
    } catch (error) {
      if (error instanceof InvalidSpecError) return { invalid: { reason: "InvalidSpec", message: error.message } };
      throw error;
    }
  }

  private async step(desired: DesiredChild, pass: Pass, heldBy: Problem | undefined): Promise<ChildResult> {
    const key = keyOf(pass.memcached);
    const ownerUid = pass.memcached.metadata.uid;
    const observed = this.store.get(key);
    const state = this.stateOf(pass);
    const wasControlled = state.controlled?.ownerUid === ownerUid;
    if (observed && isControlledBy(observed, ownerUid)) {
      const { uid } = observed.metadata;
      if (state.controlled?.uid !== uid || !wasControlled) state.controlled = { uid, ownerUid };
    } else if (observed && !(wasControlled && isReleased(observed, state)) && orphanOf(observed) !== key.name)
      return this.conflict(observed, key);
    // The child is gone or has lost its owner. The owner may be being deleted, and the cache may not know it yet.
    else if ((observed || wasControlled) && !(await pass.ownerExists())) return { terminating: "owner" };
    if (observed?.metadata.deletionTimestamp) return this.beingDeleted(key);
    const action = detectDrift(observed, desired, state);
    if (action === "none") {
      state.refused = undefined;
      return {};
    }
    if (action === "apply" && heldBy) return this.hold(observed, desired, pass, heldBy);
    // The cache of a new leader may lag behind: it may miss the deletion of the owner, or the child.
    const isUnseen = !observed && !wasControlled && !state.refused;
    if (isUnseen && isGenerationObserved(pass.memcached) && !(await pass.ownerExists()))
      return { terminating: "owner" };
    const body = desired.body();
    const request = `${fingerprint(body)} ${observed ? fingerprint(observed) : ""}`;
    if (observed && action === "apply" && this.child.isReplaced?.(observed, body))
      return this.attempt(request, pass, async () => {
        const left = await this.delete(observed, pass, "to recreate it");
        return left ?? this.write(desired, undefined, action, pass);
      });
    return this.attempt(
      request,
      pass,
      () => this.write(desired, observed, action, pass),
      (error) => (observed && isApiError(error, 422) ? immutableProblem(observed, body) : undefined),
    );
  }

  /** Adds our owner reference to an orphan of this owner, and changes nothing else. */
  async adopt(pass: Pass): Promise<ChildResult> {
    const { memcached, signal } = pass;
    const key = keyOf(memcached);
    const observed = this.store.get(key);
    if (!observed || orphanOf(observed) !== key.name || observed.metadata.deletionTimestamp) return {};
    if (!(await pass.ownerExists())) return { terminating: "owner" };
    const { uid, resourceVersion, ownerReferences = [] } = observed.metadata;
    const metadata = { uid, resourceVersion, ownerReferences: [...ownerReferences, ownerReference(memcached)] };
    return this.attempt(`adopt ${fingerprint(observed)}`, pass, async () => {
      await this.client.patch(this.child.type, key, { metadata }, { signal });
      const { reason, note } = adoptedEvent(this.child.type.kind, key.name);
      pass.recordEvent(reason, note);
      return {};
    });
  }

  /** Deletes the child if this owner controls it. The garbage collector deletes its pods. */
  async remove(pass: Pass, why: string): Promise<ChildResult> {
    const { memcached } = pass;
    const observed = this.store.get(keyOf(memcached));
    if (!observed || !isControlledBy(observed, memcached.metadata.uid) || observed.metadata.deletionTimestamp)
      return {};
    const request = `remove ${fingerprint(observed)}`;
    return this.attempt(request, pass, async () => (await this.delete(observed, pass, why)) ?? {});
  }

  /** Sends a request, unless the backoff of the same request is not over. `explain` finds a more precise problem. */
  private async attempt(
    request: string,
    pass: Pass,
    send: () => Promise<ChildResult>,
    explain: (error: unknown) => Problem | undefined = () => undefined,
  ): Promise<ChildResult> {
    const waits = backingOff(this.stateOf(pass), request, this.clock());
    if (waits) return waits;
    try {
      return await send();
    } catch (error) {
      if (isNamespaceTerminating(error)) return { terminating: "namespace" };
      const problem = explain(error);
      const why = problem ? { problem } : refusalOf(error);
      if (!why) return { error };
      const fields = this.logFields(keyOf(pass.memcached));
      pass.log.info({ ...fields, error }, `The API server refused the ${this.child.type.kind}`);
      return backOff(this.stateOf(pass), request, why, this.clock());
    }
  }

  /** Deletes exactly this object. Returns undefined if it is gone. */
  private async delete({ metadata: { uid } }: KubeObject, pass: Pass, why: string): Promise<ChildResult | undefined> {
    const { log, signal } = pass;
    const key = keyOf(pass.memcached);
    const { type } = this.child;
    try {
      log.info(this.logFields(key), `Deleting the ${type.kind}`);
      const left = await this.client.delete(type, key, { uid, propagationPolicy: "Background", signal });
      pass.children[type.kind] = {};
      pass.recordEvent("SuccessfulDelete", `Deleted ${type.kind} ${key.name}, ${why}`);
      return left && this.beingDeleted(key);
    } catch (error) {
      if (isApiError(error, 404)) return undefined;
      throw error;
    }
  }

  private async write(
    desired: DesiredChild,
    observed: KubeObject | undefined,
    action: Action,
    pass: Pass,
  ): Promise<ChildResult> {
    const { memcached, log } = pass;
    const { kind } = this.child.type;
    const fields = this.logFields(keyOf(memcached));
    const state = this.stateOf(pass);
    if (observed) log.debug({ ...fields, action }, `Updating the ${kind}`);
    else log.info(fields, `Creating a new ${kind}`);
    let response = await this.send(desired, observed, action, pass);
    // A scale leaves other fields alone, which someone may have changed in the meantime.
    if (action === "scale" && detectDrift(response, desired, state) === "apply")
      response = await this.apply(desired, response, pass);
    noteApplied(desired, response, state);
    const event = childEvent(kind, action, observed, response, memcached);
    if (event) pass.recordEvent(event.reason, event.note);
    if (event?.isOperatorsOwn) log.info(fields, event.note);
    const { uid } = response.metadata;
    state.controlled = { uid, ownerUid: memcached.metadata.uid, isOwnedByApply: isOwnedByApply(state, uid) };
    state.refused = undefined;
    return {};
  }

  private send(desired: DesiredChild, observed: KubeObject | undefined, action: Action, pass: Pass) {
    const { signal } = pass;
    const { type } = this.child;
    // Not an apply, which would change a foreign object that was just created.
    if (!observed) return this.client.create(type, desired.body(), { fieldManager, signal });
    if (action === "apply") return this.apply(desired, observed, pass);
    return this.scale(observed, desired, pass);
  }

  /** A third of the cost of an apply. The next apply owns the field again. */
  private scale({ metadata: { uid } }: KubeObject, desired: DesiredChild, pass: Pass): Promise<KubeObject> {
    const spec = { replicas: replicasOf(desired.body()) };
    const key = keyOf(pass.memcached);
    return this.client.patch(this.child.type, key, { metadata: { uid }, spec }, { signal: pass.signal });
  }

  /** Changes only the replicas of the child. */
  private async hold(
    observed: KubeObject | undefined,
    desired: DesiredChild,
    pass: Pass,
    heldBy: Problem,
  ): Promise<ChildResult> {
    if (!observed || replicasOf(observed) === replicasOf(desired.body())) return { problem: heldBy };
    return this.attempt(`scale ${fingerprint(observed)}`, pass, async () => {
      const response = await this.scale(observed, desired, pass);
      const event = childEvent(this.child.type.kind, "scale", observed, response, pass.memcached);
      if (event) pass.recordEvent(event.reason, event.note);
      return { problem: heldBy };
    });
  }

  private async apply(desired: DesiredChild, observed: KubeObject, pass: Pass): Promise<KubeObject> {
    const { signal } = pass;
    const key = keyOf(pass.memcached);
    const { type } = this.child;
    // The UID is a precondition, so that a new object of that name is not taken over.
    const { uid } = observed.metadata;
    const { metadata, ...rest } = desired.body();
    const state = this.stateOf(pass);
    // With an equal hash the fields are the same, so none must be removed.
    if (hashOf(observed) !== hashOf({ metadata }) && !isOwnedByApply(state, uid)) {
      await this.client.ownByApply(type, key, { fieldManager, signal });
      if (state.controlled && state.controlled.uid === uid) state.controlled.isOwnedByApply = true;
    }
    const body = { ...rest, metadata: { ...metadata, uid } };
    const apply = () => this.client.apply(type, body, { fieldManager, force: true, signal });
    try {
      return await apply();
    } catch (error) {
      const { ports } = (rest as { spec?: { ports?: unknown } }).spec ?? {};
      if (!ports || !isApiError(error, 422)) throw error;
      // Ports are identified by number. If someone changed the number of ours, adding it again would repeat its name.
      await this.client.patch(type, key, { metadata: { uid }, spec: { ports } }, { signal });
      return apply();
    }
  }

  /** An object of that name that this Memcached does not control. It is never changed. */
  private conflict(observed: KubeObject, key: Key): ChildResult {
    // It belonged to a deleted Memcached of the same name, and the garbage collector will delete it.
    if (memcachedOwner(observed)?.name === key.name)
      return { waitingFor: `${this.describe(key)} still belongs to a deleted Memcached of the same name` };
    const message = `${this.describe(key)} exists and is not controlled by Memcached ${key.name}: delete it, or give the Memcached another name`;
    return { problem: { reason: "ResourceConflict", message } };
  }

  private beingDeleted(key: Key): ChildResult {
    return { waitingFor: `${this.describe(key)} is being deleted` };
  }

  private stateOf({ children }: Pass): ChildState {
    return (children[this.child.type.kind] ??= {});
  }

  private logFields({ namespace, name }: Key): Record<string, string> {
    const { kind } = this.child.type;
    return { [`${kind}.Namespace`]: namespace, [`${kind}.Name`]: name };
  }

  private describe({ namespace, name }: Key): string {
    return `${this.child.type.kind} ${namespace}/${name}`;
  }
}

/** Whether someone removed our owner reference, and no other owner controls the object. This is drift. */
function isReleased(observed: KubeObject, { controlled }: ChildState): boolean {
  return !controllerOf(observed) && controlled?.uid === observed.metadata.uid;
}

function isOwnedByApply({ controlled }: ChildState, uid: string | undefined): boolean {
  return controlled?.uid === uid && controlled?.isOwnedByApply === true;
}
