import { isDeepStrictEqual } from "node:util";
import type { V1Container, V1PodTemplateSpec } from "@kubernetes/client-node";
import type { KubeObject } from "../../runtime";
import { isControlledBy } from "../owner";
import { hashOf, replicasOf } from "./desired";
import { type Action, fingerprint } from "./drift";

/** What a write of a child has done, as an Event tells it. */
export interface ChildEvent {
  reason: "SuccessfulCreate" | "Adopted" | "Scaled" | "Updated" | "Restored";
  note: string;
  /** The pods are replaced, and not for a change of the Memcached. */
  isOperatorsOwn?: boolean;
}

export interface Written {
  kind: string;
  /** What was observed, and what the API server has made of it. */
  before: KubeObject | undefined;
  after: KubeObject;
  action: Action;
  ownerUid: string;
}

/** What is known of the Memcached that was written for. */
export interface WriteContext {
  /** Its status is of this generation: its children have been there, or were refused. */
  isGenerationObserved: boolean;
  /** spec.image is given. */
  namesImage: boolean;
}

/** What has been done by a write; undefined when it has changed nothing, since a policy makes of it what was there already. */
export function childEvent(
  { kind, before, after, action, ownerUid }: Written,
  context: WriteContext,
): ChildEvent | undefined {
  const child = `${kind} ${after.metadata.name}`;
  if (!before) return { reason: "SuccessfulCreate", note: `Created ${child}` };
  const isSameBody = hashOf(before) === hashOf(after);
  if (!isSameBody && !isControlledBy(before, ownerUid)) return adoptedEvent(kind, after.metadata.name);
  if (action === "scale")
    return { reason: "Scaled", note: `Scaled ${child} from ${replicasOf(before)} to ${replicasOf(after)}` };
  if (isSameBody)
    return fingerprint(before) === fingerprint(after)
      ? undefined
      : { reason: "Restored", note: `Restored ${child}: fields had been changed that the Memcached decides` };
  const why = context.isGenerationObserved ? operatorsChange(before, after, context) : undefined;
  if (!why) return { reason: "Updated", note: `Updated ${child}` };
  return { reason: "Updated", note: `Updated ${child}, whose pods are replaced: ${why}`, isOperatorsOwn: true };
}

export function adoptedEvent(kind: string, name: string): ChildEvent {
  const note = `Adopted ${kind} ${name}, which was made for a Memcached of this name and had no owner`;
  return { reason: "Adopted", note };
}

/** Why pods are replaced although the spec is as it was; undefined when they are not. */
function operatorsChange(before: KubeObject, after: KubeObject, { namesImage }: WriteContext): string | undefined {
  const [was, is] = [templateOf(before), templateOf(after)];
  if (!was || !is || isDeepStrictEqual(was, is)) return undefined;
  const [old, own] = [serverOf(was), serverOf(is)];
  const isOtherImage = !namesImage && old.image !== own.image;
  const others = [
    ...changed(was.metadata, is.metadata),
    ...changed(was.spec, is.spec).filter((field) => field !== "containers"),
    ...changed(old, own).filter((field) => field !== "image" || !isOtherImage),
  ];
  return [
    isOtherImage && `the operator's image for servers was ${old.image} and is now ${own.image}`,
    others.length > 0 && `the operator of now makes pods otherwise than the one before (${others.join(", ")})`,
  ]
    .filter(Boolean)
    .join("; ");
}

const templateOf = (workload: KubeObject) => (workload as { spec?: { template?: V1PodTemplateSpec } }).spec?.template;

const serverOf = ({ spec }: V1PodTemplateSpec): Partial<V1Container> =>
  spec?.containers.find(({ name }) => name === "memcached") ?? {};

/** The names of the fields that differ. */
function changed(before: object = {}, after: object = {}): string[] {
  const [was, is] = [before, after] as Record<string, unknown>[];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Array.from(names).filter((name) => !isDeepStrictEqual(was?.[name], is?.[name]));
}
