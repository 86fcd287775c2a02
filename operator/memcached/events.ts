import { isDeepStrictEqual } from "node:util";
import type { V1Container, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { Condition, Memcached, MemcachedStatus } from "../../api";
import { type EventRecorder, type KubeObject, TokenBucket, findCondition } from "../runtime";
import { isControlledBy } from "./owner";
import type { KeyState } from "./state";
import { isGenerationObserved } from "./status/status";
import { hashOf, replicasOf } from "./sync/desired";
import { type Action, fingerprint } from "./sync/drift";
import { memcachedType } from "./types";

/** Tells people of a Memcached what was done to its children, in the past tense. */
export type RecordEvent = (reason: string, note: string) => void;

const all = { burst: 20, everyMs: 1_000 };
const each = { burst: 15, everyMs: 600_000 };

/**
 * Events about a Memcached, for those who look at it. Each costs the API server a write, so that there are few Normal ones when a
 * thousand resources are made at once, and few for one resource, so that its Warnings are never left out for them.
 */
export class MemcachedEvents {
  private readonly budget: TokenBucket;

  constructor(
    private readonly recorder: EventRecorder,
    private readonly clock: () => number,
  ) {
    this.budget = new TokenBucket(all.burst, all.everyMs, clock);
  }

  normal(memcached: Memcached, state: KeyState): RecordEvent {
    return (reason, note) => {
      if (this.budget.left() < 1) return;
      const own = (state.eventBudget ??= new TokenBucket(each.burst, each.everyMs, this.clock));
      if (own.left() < 1) return;
      own.take();
      this.budget.take();
      this.recorder.event(regarding(memcached), "Normal", reason, "Reconcile", note);
    };
  }

  /** Reports what a status just written has to warn of. */
  warning(memcached: Memcached, before: MemcachedStatus | undefined, next: MemcachedStatus): void {
    const condition = newWarning(before, next);
    if (condition)
      this.recorder.event(regarding(memcached), "Warning", condition.reason, "Reconcile", condition.message);
  }
}

/** A Memcached as events name it: what is stored has no kind where it came in a list. */
function regarding({ metadata }: Memcached): Parameters<EventRecorder["event"]>[0] {
  const { group, version, kind } = memcachedType;
  return { apiVersion: `${group}/${version}`, kind, metadata };
}

/**
 * The condition to report to people when a status is written: Degraded has become true, or is true for another reason; or no
 * node has room for a pod, which an autoscaler may mend, or a person has paused the rollout: nobody else who waits for the cache
 * would hear of it. A pull that fails is one reason under two names, between which the kubelet alternates.
 */
export function newWarning(before: MemcachedStatus | undefined, next: MemcachedStatus): Condition | undefined {
  return newly(before, next, "Degraded", isDegraded) ?? newly(before, next, "Progressing", isWaiting);
}

type Is = (condition: Condition) => boolean;

const isDegraded: Is = ({ status }) => status === "True";
const isWaiting: Is = ({ reason }) => ["Unschedulable", "RolloutPaused"].includes(reason);

/** The condition of that type, if it is such a one and was none before, or for another reason. */
function newly(
  before: MemcachedStatus | undefined,
  next: MemcachedStatus,
  type: string,
  is: Is,
): Condition | undefined {
  const last = findCondition(before?.conditions, type);
  const current = findCondition(next.conditions, type);
  if (!current || !is(current)) return undefined;
  return last && is(last) && plain(last.reason) === plain(current.reason) ? undefined : current;
}

const plain = (reason: string): string => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);

/** What a write of a child has done, as an Event tells it. */
export interface ChildEvent {
  reason: "SuccessfulCreate" | "Adopted" | "Scaled" | "Updated" | "Restored";
  note: string;
  /** The pods are replaced, and not for a change of the Memcached. */
  isOperatorsOwn?: boolean;
}

/**
 * What has been done by a write that made `after` of `before`; undefined when it has changed nothing, since a policy makes of it what was
 * there already.
 */
export function childEvent(
  kind: string,
  action: Action,
  before: KubeObject | undefined,
  after: KubeObject,
  memcached: Memcached,
): ChildEvent | undefined {
  const child = `${kind} ${after.metadata.name}`;
  if (!before) return { reason: "SuccessfulCreate", note: `Created ${child}` };
  const isSameBody = hashOf(before) === hashOf(after);
  if (!isSameBody && !isControlledBy(before, memcached.metadata.uid)) return adoptedEvent(kind, after.metadata.name);
  if (action === "scale")
    return { reason: "Scaled", note: `Scaled ${child} from ${replicasOf(before)} to ${replicasOf(after)}` };
  if (isSameBody)
    return fingerprint(before) === fingerprint(after)
      ? undefined
      : { reason: "Restored", note: `Restored ${child}: someone had changed fields that the operator manages` };
  const why = isGenerationObserved(memcached) ? operatorsChange(before, after, memcached) : undefined;
  if (!why) return { reason: "Updated", note: `Updated ${child}` };
  return { reason: "Updated", note: `Updated ${child}, which replaces its pods: ${why}`, isOperatorsOwn: true };
}

export function adoptedEvent(kind: string, name: string): ChildEvent {
  const note = `Adopted ${kind} ${name}: it had no owner and was created for a Memcached of this name`;
  return { reason: "Adopted", note };
}

/** Why pods are replaced although the spec is as it was; undefined when they are not. */
function operatorsChange(before: KubeObject, after: KubeObject, { spec }: Memcached): string | undefined {
  const [was, is] = [templateOf(before), templateOf(after)];
  if (!was || !is || isDeepStrictEqual(was, is)) return undefined;
  const [old, own] = [serverOf(was), serverOf(is)];
  const isOtherImage = spec?.image === undefined && old.image !== own.image;
  const others = [
    ...differing(was.metadata, is.metadata),
    ...differing(was.spec, is.spec).filter((field) => field !== "containers"),
    ...differing(old, own).filter((field) => field !== "image" || !isOtherImage),
  ];
  return [
    isOtherImage && `the operator's default image changed from ${old.image} to ${own.image}`,
    others.length > 0 && `this version of the operator creates different pods (${others.join(", ")})`,
  ]
    .filter(Boolean)
    .join("; ");
}

const templateOf = (workload: KubeObject) => (workload as { spec?: { template?: V1PodTemplateSpec } }).spec?.template;

const serverOf = ({ spec }: V1PodTemplateSpec): Partial<V1Container> =>
  spec?.containers.find(({ name }) => name === "memcached") ?? {};

/** The names of the fields that differ. */
function differing(before: object = {}, after: object = {}): string[] {
  const [was, is] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).filter((name) => !isDeepStrictEqual(was?.[name], is?.[name]));
}
