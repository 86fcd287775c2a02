import { Type } from "@sinclair/typebox";
import { defaulted } from "../field";
import { wholeSteps } from "../sizes";

const bounds = { min: "8Mi", max: "4Ti", step: "1Mi" };

export const properties = {
  memory: defaulted(
    Type.String({
      description: `Memory for items on each server (memcached -m), in whole mebibytes, ${bounds.min} to ${bounds.max}. The container needs more: see resources.`,
      maxLength: 24,
      examples: ["1Gi"],
    }),
    "64Mi",
  ),
};

export const rules = [
  wholeSteps(
    "spec.memory",
    bounds,
    `must be a whole number of mebibytes from ${bounds.min} to ${bounds.max}: write it like 64Mi or 1.5Gi`,
  ),
];
