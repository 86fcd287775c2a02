import { type DefaultedSpec, effectiveRollout, type Servers } from "../../../api";
import type { Field } from "./field";

export const rollout: Field = {
  deployment: ({ spec }) => ({ strategy: { type: "RollingUpdate", rollingUpdate: rollingUpdate(spec) } }),
  origins: [[/^spec\.strategy\.rollingUpdate/, "spec.rollout"]],
};

/** `spec.rollout` for a Deployment: numbers, or percentages as text. */
function rollingUpdate(spec: DefaultedSpec): Record<"maxSurge" | "maxUnavailable", Servers> {
  const { maxSurge, maxUnavailable } = effectiveRollout(spec.rollout);
  const plain = (value: Servers): Servers => (String(value).endsWith("%") ? value : Number(value));
  return { maxSurge: plain(maxSurge), maxUnavailable: plain(maxUnavailable) };
}

/**
 * Whether every new server needs a place in addition to all old ones. Percentages are rounded like in the Deployment controller, which
 * stops one server if both round to zero. Source followed: ResolveFenceposts.
 */
export function onlySurges(spec: DefaultedSpec): boolean {
  const { maxSurge, maxUnavailable } = rollingUpdate(spec);
  const share = (value: Servers, round: (servers: number) => number): number =>
    typeof value === "number" ? value : round((parseInt(value, 10) * spec.size) / 100);
  return share(maxSurge, Math.ceil) > 0 && share(maxUnavailable, Math.floor) === 0;
}
