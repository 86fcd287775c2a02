import { effectiveBudget } from "../../../api";
import type { Field } from "./field";

export const disruptionBudget: Field = {
  disruptionBudget: ({ spec }) => effectiveBudget(spec) ?? {},
  origins: [[/^spec\.(maxUnavailable|minAvailable)/, "spec.disruptionBudget.$1"]],
};
