import type { Client, Key, KubeObject, Logger, OwnerReference, ResourceType, Store } from "../../runtime";
import { isApiError, keyText } from "../../runtime";
import type { Child } from "../children/child";
import { fieldManager } from "../labels";
import { orphanOf } from "../orphan";
import { controllerOf, isControlledBy, memcachedOwner } from "../owner";
import type { RecordEvent } from "../status/normalEvents";
import type { Problem } from "../status/observedState";
import { type DriftDetector, hashOf, replicasOf, fingerprint } from "./drift";
import { ChildBackoff } from "./childBackoff";
import { immutableProblem } from "./immutable";
import { type Cause, adopted, childEvent } from "./childEvents";
import { InvalidSpecError, type DesiredChild } from "./desired";
import { isKindUnknownYet, isNamespaceEnding, refusalOf } from "./refusals";

/** How a child stands after a pass over it; nothing set: it is ours, and as it should be. */
export interface ChildResult {
  /** Why it is not what it should be; nothing helps until something changes. */
  problem?: Problem;
  /** Why nothing can be made of the spec. */
  invalid?: Problem;
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
export interface Pass extends Cause {
  log: Logger;
  signal: AbortSignal;
  /** Asks the API server whether the owner is still there, and not being deleted. */
  ownerExists: () => Promise<boolean>;
  tell: RecordEvent;
}

/** Which object was seen to be controlled by which owner. */
interface Ours {
  uid?: string;
  ownerUid: string;
  /** Its fields are known to be ours by apply, not by the create: an apply may drop some. */
  ownedByApply?: boolean;
}

/** Brings one kind of child to what its body says, at the cost of at most one write. */
export class ChildReconciler {
  private readonly ours = new Map<string, Ours>();
  private readonly holds: ChildBackoff<Pick<ChildResult, "problem" | "waitingFor">>;

  private readonly type: ResourceType;

  constructor(
    private readonly child: Pick<Child, "type" | "isReplaced">,
    private readonly store: Store,
    private readonly client: Client,
    private readonly gate: DriftDetector,
    clock?: () => number,
  ) {
    this.type = child.type;
    this.holds = new ChildBackoff(clock);
  }

  async sync(wanted: DesiredChild, pass: Pass): Promise<ChildResult> {
    try {
      return await this.step(wanted, pass);
    } catch (error) {
      if (error instanceof InvalidSpecError) return { invalid: { reason: "InvalidSpec", message: error.message } };
      throw error;
    }
  }

  private async step(wanted: DesiredChild, pass: Pass): Promise<ChildResult> {
    const { key, ownerUid } = wanted;
    const slot = keyText(key);
    const live = this.store.get(key);
    const known = this.ours.get(slot);
    if (live && isControlledBy(live, ownerUid)) {
      if (known?.uid !== live.metadata.uid || known?.ownerUid !== ownerUid)
        this.ours.set(slot, { uid: live.metadata.uid, ownerUid });
    } else if (live && !this.isReleased(live, known, ownerUid) && orphanOf(live) !== key.name)
      return this.notOurs(live, key);
    // Gone, or let go: that is also how the deletion of the owner begins, of which the cache may not know yet.
    else if ((live || known?.ownerUid === ownerUid) && !(await pass.ownerExists())) return { ending: "owner" };
    if (live?.metadata.deletionTimestamp) return { waitingFor: `${this.describe(key)} is being deleted` };
    const need = this.gate.needs(live, wanted);
    if (need === "nothing") {
      this.holds.release(slot);
      return {};
    }
    const attempt = `${fingerprint(wanted.body())} ${live ? fingerprint(live) : ""}`;
    const held = this.holds.held(slot, attempt);
    if (held) return { ...held.why, retryAfterMs: held.forMs };
    // A new leader whose watch lags behind knows neither that the owner is gone nor that the child was there.
    const isUnseen = !live && known?.ownerUid !== ownerUid && !this.holds.knows(slot);
    if (isUnseen && pass.isGenerationObserved && !(await pass.ownerExists())) return { ending: "owner" };
    if (live && need === "apply" && this.child.isReplaced?.(live, wanted.body())) {
      const unremoved = await this.delete(live, key, attempt, pass, "to be made anew");
      return unremoved ?? this.write(wanted, undefined, need, attempt, pass);
    }
    return this.write(wanted, live, need, attempt, pass);
  }

  /** Makes a child its owner's that no one controls and that carries the owner's marks; nothing else of it is changed. */
  async adopt(key: Key, owner: OwnerReference, pass: Pass): Promise<ChildResult> {
    const live = this.store.get(key);
    if (!live || orphanOf(live) !== key.name || live.metadata.deletionTimestamp) return {};
    if (!(await pass.ownerExists())) return { ending: "owner" };
    const attempt = `adopt ${fingerprint(live)}`;
    const held = this.holds.held(keyText(key), attempt);
    if (held) return { ...held.why, retryAfterMs: held.forMs };
    const { uid, resourceVersion, ownerReferences = [] } = live.metadata;
    const metadata = { uid, resourceVersion, ownerReferences: [...ownerReferences, owner] };
    try {
      await this.client.patch(this.type, key, { metadata }, { signal: pass.signal });
      pass.tell(...adopted(this.type.kind, key.name));
      return {};
    } catch (error) {
      return this.failed(error, key, attempt, pass.log);
    }
  }

  /** Removes the child, if it is this owner's; what then is left below it is the garbage collector's. */
  async remove(key: Key, ownerUid: string | undefined, pass: Pass, why: string): Promise<ChildResult> {
    const live = this.store.get(key);
    if (!live || !isControlledBy(live, ownerUid) || live.metadata.deletionTimestamp) return {};
    const attempt = `remove ${fingerprint(live)}`;
    const held = this.holds.held(keyText(key), attempt);
    if (held) return { ...held.why, retryAfterMs: held.forMs };
    return (await this.delete(live, key, attempt, pass, why)) ?? {};
  }

  /** Deletes this very object. Gives what stands in the way of its being gone. */
  private async delete(
    live: KubeObject,
    key: Key,
    attempt: string,
    { log, signal, tell }: Pass,
    why: string,
  ): Promise<ChildResult | undefined> {
    try {
      log.info(this.fields(key), `Deleting the ${this.type.kind}`);
      const { uid } = live.metadata;
      const left = await this.client.delete(this.type, key, { uid, propagationPolicy: "Background", signal });
      this.forget(key);
      tell("SuccessfulDelete", `Deleted ${this.type.kind} ${key.name}, ${why}`);
      return left && { waitingFor: `${this.describe(key)} is being deleted` };
    } catch (error) {
      if (isApiError(error, 404)) return undefined;
      return this.failed(error, key, attempt, log);
    }
  }

  /** Forgets a child whose owner is gone. */
  forget(key: { namespace: string; name: string }): void {
    this.gate.forget({ kind: this.type.kind, metadata: key });
    this.holds.release(keyText(key));
    this.ours.delete(keyText(key));
  }

  /** Whether someone took our reference off the very object that carried it, and no other controls it: drift, to be healed. */
  private isReleased(live: KubeObject, ours: Ours | undefined, ownerUid: string): boolean {
    return !controllerOf(live) && ours?.uid === live.metadata.uid && ours?.ownerUid === ownerUid;
  }

  private isOwnedByApply(slot: string, uid: string | undefined): boolean {
    const ours = this.ours.get(slot);
    return ours?.uid === uid && ours?.ownedByApply === true;
  }

  private async write(
    wanted: DesiredChild,
    live: KubeObject | undefined,
    need: "scale" | "apply",
    attempt: string,
    pass: Pass,
  ): Promise<ChildResult> {
    const { log, signal, tell } = pass;
    const { kind } = this.type;
    const { key, ownerUid } = wanted;
    const slot = keyText(key);
    const fields = this.fields(key);
    try {
      if (live) log.debug({ ...fields, need }, `Updating the ${kind}`);
      else log.info(fields, `Creating a new ${kind}`);
      let answer = await this.send(wanted, live, need, signal);
      // Unlike an apply it leaves the other fields alone, which someone may have changed just before.
      if (need === "scale" && this.gate.needs(answer, wanted) === "apply")
        answer = await this.send(wanted, answer, "apply", signal);
      this.gate.applied(wanted, answer);
      const news = childEvent({ kind, before: live, after: answer, need, ownerUid }, pass);
      if (news) tell(news.reason, news.note);
      if (news?.isOperatorsOwn) log.info(fields, news.note);
      const { uid } = answer.metadata;
      this.ours.set(slot, { uid, ownerUid, ownedByApply: this.isOwnedByApply(slot, uid) });
      this.holds.release(slot);
      return {};
    } catch (error) {
      const problem = live && isApiError(error, 422) ? immutableProblem(live, wanted.body()) : undefined;
      return this.failed(error, key, attempt, log, problem && { problem });
    }
  }

  private failed(error: unknown, key: Key, attempt: string, log: Logger, why = this.reasonFor(error)): ChildResult {
    if (isNamespaceEnding(error)) return { ending: "namespace" };
    if (!why) return { error };
    log.info({ ...this.fields(key), error }, `The ${this.type.kind} was refused`);
    return { ...why, retryAfterMs: this.holds.hold(keyText(key), attempt, why) };
  }

  private async send(
    { key, body }: DesiredChild,
    live: KubeObject | undefined,
    need: "scale" | "apply",
    signal: AbortSignal,
  ): Promise<KubeObject> {
    // Not an apply, which would take its share of a foreign object that has just come.
    if (!live) return this.client.create(this.type, body(), { fieldManager, signal });
    // The UID is a precondition: an object of that name made in the meantime is refused, not taken over.
    const { uid } = live.metadata;
    // A third of what an apply of the whole object costs the API server; the next apply takes the field back.
    if (need === "scale")
      return this.client.patch(
        this.type,
        key,
        { metadata: { uid }, spec: { replicas: replicasOf(body()) } },
        { signal },
      );
    // The body that was applied before has the same fields: none is to be dropped.
    const isEqual = hashOf(live) === hashOf(body());
    if (!isEqual && !this.isOwnedByApply(keyText(key), uid)) {
      await this.client.ownByApply(this.type, key, { fieldManager, signal });
      const ours = this.ours.get(keyText(key));
      if (ours && ours.uid === uid) ours.ownedByApply = true;
    }
    const { metadata, ...rest } = body();
    const claimed = { ...rest, metadata: { ...metadata, uid } };
    const apply = () => this.client.apply(this.type, claimed, { fieldManager, force: true, signal });
    try {
      return await apply();
    } catch (error) {
      const { ports } = (rest as { spec?: { ports?: unknown } }).spec ?? {};
      if (!ports || !isApiError(error, 422)) throw error;
      // Ports are told apart by number: beside one that someone renumbered ours would have a name that is taken.
      await this.client.patch(this.type, key, { metadata: { uid }, spec: { ports } }, { signal });
      return apply();
    }
  }

  /** Undefined for what a retry may mend at once. */
  private reasonFor(error: unknown): Pick<ChildResult, "problem" | "waitingFor"> | undefined {
    if (isKindUnknownYet(error)) return { waitingFor: "the API server has yet to learn of the kind Memcached" };
    const problem = refusalOf(error);
    return problem && { problem };
  }

  /** An object of that name which another controls, or no one: it is never touched. */
  private notOurs(live: KubeObject, key: Key): ChildResult {
    const former = memcachedOwner(live);
    // Left over from a resource of the same name: the garbage collector is on its way, unless another owner holds it.
    if (former?.name === key.name)
      return { waitingFor: `${this.describe(key)} still belongs to a deleted Memcached of the same name` };
    return { problem: this.conflict(key) };
  }

  private conflict(key: Key): Problem {
    const message = `${this.describe(key)} exists and is not controlled by Memcached ${key.name}: delete it, or give the Memcached another name`;
    return { reason: "ResourceConflict", message };
  }

  private fields({ namespace, name }: Key): Record<string, string> {
    const { kind } = this.type;
    return { [`${kind}.Namespace`]: namespace, [`${kind}.Name`]: name };
  }

  private describe({ namespace, name }: Key): string {
    return `${this.type.kind} ${namespace}/${name}`;
  }
}
