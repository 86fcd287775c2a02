import type { Client, KubeObject, Logger, ResourceType, Store } from "../../runtime";
import { isApiError, keyOf } from "../../runtime";
import { fieldManager } from "../labels";
import { controllerOf, isControlledBy, memcachedOwner } from "../owner";
import type { Problem } from "../status/situation";
import { type Gate, sealOf } from "./gate";
import { Holds } from "./holds";
import { isKindUnknownYet, isNamespaceEnding, refusalOf } from "./refusal";

/** How a child stands after a pass over it; nothing set: it is ours, and as it should be. */
export interface Outcome {
  /** Why it is not what it should be; nothing helps until something changes. */
  problem?: Problem;
  /** It cannot be written yet: what has to go, or to come, first. No one has to act. */
  waitingFor?: string;
  /** What is going, so that nothing must be created any more. */
  ending?: "namespace" | "owner";
  /** Try again no later than this. */
  retryAfterMs?: number;
  /** Failed in a way that a retry may mend at once. */
  error?: unknown;
}

/** What a pass hands to its children. */
export interface Pass {
  log: Logger;
  signal: AbortSignal;
  /** Asks the API server whether the owner is still there, and not being deleted. */
  isWanted: () => Promise<boolean>;
}

/** Brings one kind of child to what its body says, at the cost of at most one apply. */
export class ChildSync {
  /** Which object was seen to be controlled by which owner. */
  private readonly ours = new Map<string, { uid?: string; ownerUid: string }>();
  private readonly holds: Holds<Pick<Outcome, "problem" | "waitingFor">>;

  constructor(
    private readonly type: ResourceType,
    private readonly store: Store,
    private readonly client: Client,
    private readonly gate: Gate,
    clock?: () => number,
  ) {
    this.holds = new Holds(clock);
  }

  /**
   * `body` carries the owner's UID in its controller reference, and its own hash. `isWanted` asks the API server whether the
   * owner still is what it was.
   */
  async sync(body: KubeObject, ownerUid: string, pass: Pass): Promise<Outcome> {
    const slot = this.slot(body);
    const live = this.store.get(keyOf(body));
    if (live && isControlledBy(live, ownerUid)) this.ours.set(slot, { uid: live.metadata.uid, ownerUid });
    else if (live && !this.isReleased(live, this.ours.get(slot), ownerUid)) return this.notOurs(live, body);
    // Gone, or let go: that is also how the deletion of the owner begins, of which the cache may not know yet.
    else if (this.ours.get(slot)?.ownerUid === ownerUid && !(await pass.isWanted())) return { ending: "owner" };
    if (live?.metadata.deletionTimestamp) return { waitingFor: `${this.describe(body)} is being deleted` };
    if (!this.gate.needsApply(live, body)) {
      this.holds.release(slot);
      return {};
    }
    const attempt = `${sealOf(body)} ${live ? sealOf(live) : ""}`;
    const held = this.holds.held(slot, attempt);
    if (held) return { ...held.why, retryAfterMs: held.forMs };
    return this.apply(body, live, attempt, pass);
  }

  /** Forgets a child whose owner is gone. */
  forget(key: { namespace: string; name: string }): void {
    this.gate.forget({ kind: this.type.kind, metadata: key });
    this.holds.release(`${key.namespace}/${key.name}`);
    this.ours.delete(`${key.namespace}/${key.name}`);
  }

  /** Whether someone took our reference off the very object that carried it, and no other controls it: drift, to be healed. */
  private isReleased(
    live: KubeObject,
    ours: { uid?: string; ownerUid: string } | undefined,
    ownerUid: string,
  ): boolean {
    return !controllerOf(live) && ours?.uid === live.metadata.uid && ours?.ownerUid === ownerUid;
  }

  private async apply(body: KubeObject, live: KubeObject | undefined, attempt: string, pass: Pass): Promise<Outcome> {
    const { log, signal } = pass;
    const { kind } = this.type;
    const { namespace, name } = body.metadata;
    const fields = { [`${kind}.Namespace`]: namespace, [`${kind}.Name`]: name };
    try {
      if (live) log.debug(fields, `Updating the ${kind}`);
      else log.info(fields, `Creating a new ${kind}`);
      const answer = live
        ? await this.client.apply(this.type, withUid(body, live), { fieldManager, force: true, signal })
        : await this.client.apply(this.type, body, { fieldManager, signal });
      this.gate.applied(body, answer);
      this.ours.set(this.slot(body), { uid: answer.metadata.uid, ownerUid: controllerOf(body)?.uid ?? "" });
      this.holds.release(this.slot(body));
      return {};
    } catch (error) {
      if (isNamespaceEnding(error)) return { ending: "namespace" };
      const why = this.reasonFor(error, body, live);
      if (!why) return { error };
      log.info({ ...fields, error }, `The ${kind} was refused`);
      return { ...why, retryAfterMs: this.holds.hold(this.slot(body), attempt, why) };
    }
  }

  /** Undefined for what a retry may mend at once. */
  private reasonFor(
    error: unknown,
    body: KubeObject,
    live: KubeObject | undefined,
  ): Pick<Outcome, "problem" | "waitingFor"> | undefined {
    if (isKindUnknownYet(error)) return { waitingFor: "the API server has yet to learn of the kind Memcached" };
    if (!live && isApiError(error, 409) && error.hasCause("FieldManagerConflict"))
      return { problem: this.conflict(body, error.message) };
    const problem = refusalOf(error);
    return problem && { problem };
  }

  /** An object of that name which another controls, or no one: it is never touched. */
  private notOurs(live: KubeObject, body: KubeObject): Outcome {
    const former = memcachedOwner(live);
    // Left over from a resource of the same name: the garbage collector is on its way, unless another owner holds it.
    if (former?.name === body.metadata.name)
      return { waitingFor: `${this.describe(body)} still belongs to a deleted Memcached of the same name` };
    return { problem: this.conflict(body) };
  }

  private conflict(body: KubeObject, words?: string): Problem {
    const { name } = body.metadata;
    const said = words ? ` (${words})` : "";
    const message = `${this.describe(body)} exists and is not controlled by Memcached ${name}: delete it, or give the Memcached another name${said}`;
    return { reason: "ResourceConflict", message };
  }

  private describe({ metadata }: KubeObject): string {
    return `${this.type.kind} ${metadata.namespace}/${metadata.name}`;
  }

  private slot({ metadata }: KubeObject): string {
    return `${metadata.namespace}/${metadata.name}`;
  }
}

/** With the UID as a precondition: an object of that name made in the meantime is refused, not taken over. */
function withUid(body: KubeObject, live: KubeObject): KubeObject {
  return { ...body, metadata: { ...body.metadata, uid: live.metadata.uid } };
}
