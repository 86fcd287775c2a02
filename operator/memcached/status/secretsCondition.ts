import type { Condition } from "../../../api";
import type { NewCondition } from "../../runtime";
import type { ObservedState } from "./observedState";

const type = "SecretsValid";

/** Whether the Secrets that the spec names hold what the servers need; undefined where it names none. */
function secretsCondition({ secrets }: ObservedState): NewCondition | undefined {
  if (!secrets) return undefined;
  const { problem, unread } = secrets;
  if (problem) return { type, status: "False", ...problem };
  if (unread !== undefined) return { type, status: "Unknown", reason: "NotReadable", message: unread };
  const message = "The Secrets that the spec names hold what the servers need";
  return { type, status: "True", reason: "AsExpected", message };
}

/** The conditions to be set, and those of before without one that is no longer ours to tell. */
export function withSecrets(
  next: NewCondition[],
  before: readonly Condition[],
  observed: ObservedState,
): { next: NewCondition[]; before: readonly Condition[] } {
  const condition = secretsCondition(observed);
  return condition
    ? { next: [...next, condition], before }
    : { next, before: before.filter((each) => each.type !== type) };
}
