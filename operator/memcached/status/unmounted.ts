import { type Client, findCondition } from "../../runtime";
import { lastNote } from "../lastNote";
import type { ObservedPod } from "../types";
import { type Problem, type Timed } from "./observedState";
import { startingReasons } from "./pods";

/** A pod's volumes are there within a moment, unless something is missing. */
const graceMs = 3_000;
/** Until the kubelet has said something, and for what it says next. */
const retryMs = 5_000;

/**
 * Why the first pod whose containers have yet to start lacks its volumes: a Secret or one of its keys does not exist. The kubelet says so in
 * Events alone; they are looked at only while a pod waits.
 */
export async function unmounted(
  pods: ObservedPod[],
  client: Pick<Client, "list">,
  now: Date,
  signal: AbortSignal,
): Promise<Timed> {
  const pod = pods.find(isStarting);
  if (!pod) return {};
  const scheduled = findCondition(pod.status?.conditions, "PodScheduled")?.lastTransitionTime;
  const leftMs = Date.parse(scheduled ?? pod.metadata.creationTimestamp ?? "") + graceMs - now.getTime();
  if (leftMs > 0) return { changesInMs: leftMs };
  const note = await lastNote(pod.metadata, "FailedMount", client, signal);
  const problem: Problem | undefined =
    note === undefined ? undefined : { reason: "FailedMount", message: messageOf(pod, note) };
  return { changesInMs: retryMs, ...(problem && { problem }) };
}

const messageOf = ({ metadata }: ObservedPod, note: string): string =>
  `pod ${metadata.name}: ${note}: create what is missing, and the server starts by itself`;

function isStarting({ status }: ObservedPod): boolean {
  if (findCondition(status?.conditions, "PodScheduled")?.status !== "True") return false;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  return (
    containers.length > 0 && containers.every(({ state }) => startingReasons.includes(state?.waiting?.reason ?? ""))
  );
}
