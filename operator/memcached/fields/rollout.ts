import { type DefaultedSpec, effectiveRollout, type Servers } from "../../../api";
import type { Field } from "./field";

export const rollout: Field = {
  deployment: ({ spec }) => ({ strategy: { type: "RollingUpdate", rollingUpdate: rollingUpdate(spec) } }),
  origins: [[/^spec\.strategy\.rollingUpdate/, "spec.rollout"]],
};

/** `spec.rollout` as a Deployment takes it: numbers, or texts that end with a percent sign. */
function rollingUpdate(spec: DefaultedSpec): Record<"maxSurge" | "maxUnavailable", Servers> {
  const { maxSurge, maxUnavailable } = effectiveRollout(spec.rollout);
  const plain = (value: Servers): Servers => (String(value).endsWith("%") ? value : Number(value));
  return { maxSurge: plain(maxSurge), maxUnavailable: plain(maxUnavailable) };
}

/**
 * Whether every new server has to find a place beside all of the old ones. Percentages are rounded as a Deployment's controller does,
 * which takes one server away all the same where both come to none. Source followed: ResolveFenceposts.
 */
export function onlySurges(spec: DefaultedSpec): boolean {
  const { maxSurge, maxUnavailable } = rollingUpdate(spec);
  const share = (value: Servers, round: (servers: number) => number): number =>
    typeof value === "number" ? value : round((parseInt(value, 10) * spec.size) / 100);
  return share(maxSurge, Math.ceil) > 0 && share(maxUnavailable, Math.floor) === 0;
}
