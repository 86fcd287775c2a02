import { timestamp } from "../../runtime";
import type { ObservedPod } from "../types";
import type { Timed } from "./observedState";

/** After its grace period a pod may take this long to be gone. */
const slackMs = 15_000;

/** Looks for a pod among those being deleted that should be gone. A StatefulSet puts no other in its place before it is. */
export function terminating(pods: ObservedPod[], now: Date): Timed {
  const sorted = pods
    .filter((pod) => isUnended(pod) || finalizersOf(pod).length > 0)
    .map((pod) => ({ pod, leftMs: Date.parse(pod.metadata.deletionTimestamp ?? "") + slackMs - now.getTime() }))
    .sort((a, b) => (a.pod.metadata.name < b.pod.metadata.name ? -1 : 1));
  const late = sorted.find(({ leftMs }) => leftMs <= 0)?.pod;
  const left = sorted.map(({ leftMs }) => leftMs).filter((ms) => ms > 0);
  return {
    ...(late && { problem: { reason: "PodTerminating", message: wordsOf(late) } }),
    ...(left.length > 0 && { changesInMs: Math.min(...left) }),
  };
}

const finalizersOf = ({ metadata }: ObservedPod): string[] => metadata.finalizers ?? [];

/** The kubelet that has ended a pod leaves it no more time; one without a node, or any grace, is gone at once. */
const isUnended = ({ metadata, spec }: ObservedPod): boolean =>
  (metadata.deletionGracePeriodSeconds ?? 0) > 0 && spec?.nodeName !== undefined;

/** The time of a deletion is that at which the grace period ends. */
function wordsOf(pod: ObservedPod): string {
  const { metadata, spec, status } = pod;
  const { name, namespace, deletionTimestamp = "", deletionGracePeriodSeconds: grace = 0 } = metadata;
  const finalizers = finalizersOf(pod);
  const since = timestamp(new Date(Date.parse(deletionTimestamp) - grace * 1_000));
  const why: string[] = [];
  if (isUnended(pod))
    why.push(
      `its node ${spec?.nodeName} ${isLost(status) ? "is not ready and " : ""}has not said that it ended; if the node is gone for good: kubectl delete pod ${name} -n ${namespace} --force`,
    );
  if (finalizers.length > 0)
    why.push(`its finalizers ${finalizers.join(", ")} hold it, which whoever set them has to take off`);
  return `pod ${name} has been ending since ${since} and is not gone: ${why.join("; ")}`;
}

/** A node that no longer answers says nothing of its pods: others call them unready, whose containers were ready last. */
function isLost(status: ObservedPod["status"]): boolean {
  const is = (type: string, wanted: string) =>
    status?.conditions?.some((condition) => condition.type === type && condition.status === wanted);
  return status?.reason === "NodeLost" || Boolean(is("Ready", "False") && is("ContainersReady", "True"));
}
