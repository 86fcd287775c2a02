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

/** Records a Normal Event about a write of a child. */
export type RecordEvent = (reason: string, note: string) => void;

/** Budgets for Normal Events: of all Memcacheds together, and of each. */
const all = { burst: 20, everyMs: 1_000 };
const each = { burst: 15, everyMs: 600_000 };

/** Events about Memcacheds. Normal ones are limited, because each costs a write and must not displace Warnings. */
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

  /** Records a Warning for a status that was just written, if it has a new problem. */
  warning(memcached: Memcached, before: MemcachedStatus | undefined, next: MemcachedStatus): void {
    const condition = newWarning(before, next);
    if (condition)
      this.recorder.event(regarding(memcached), "Warning", condition.reason, "Reconcile", condition.message);
  }
}

/** The reference to a Memcached. Objects from a list have no kind. */
function regarding({ metadata }: Memcached): Parameters<EventRecorder["event"]>[0] {
  const { group, version, kind } = memcachedType;
  return { apiVersion: `${group}/${version}`, kind, metadata };
}

/**
 * The condition to warn about: Degraded is newly true, or for another reason, or the rollout newly waits for a node or a person. The
 * kubelet alternates between two reasons for a failed pull, which count as one.
 */
export function newWarning(before: MemcachedStatus | undefined, next: MemcachedStatus): Condition | undefined {
  return newly(before, next, "Degraded", isDegraded) ?? newly(before, next, "Progressing", isWaiting);
}

type Is = (condition: Condition) => boolean;

const isDegraded: Is = ({ status }) => status === "True";
const isWaiting: Is = ({ reason }) => ["Unschedulable", "RolloutPaused"].includes(reason);

/** The condition of that type, if `is` is newly true for it, or for another reason. */
function newly(
  before: MemcachedStatus | undefined,
  next: MemcachedStatus,
  type: string,
  is: Is,
): Condition | undefined {
  const last = findCondition(before?.conditions, type);
  const current = findCondition(next.conditions, type);
  if (!current || !is(current)) return undefined;
  return last && is(last) && comparable(last.reason) === comparable(current.reason) ? undefined : current;
}

const comparable = (reason: string): string => (reason === "ErrImagePull" ? "ImagePullBackOff" : reason);

/** The Event for a write of a child. */
export interface ChildEvent {
  reason: "SuccessfulCreate" | "Adopted" | "Scaled" | "Updated" | "Restored";
  note: string;
  /** The pods are replaced because of the operator, not because of a change of the Memcached. */
  isOperatorsOwn?: boolean;
}

/** The Event for a write that changed `before` to `after`; undefined if it changed nothing, for example because of a policy. */
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

/** Why pods are replaced although the spec has not changed; undefined if they are not replaced. */
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
