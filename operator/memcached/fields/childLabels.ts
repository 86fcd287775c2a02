import type { Field } from "./field";

export const childLabels: Field = {
  metadata: ({ spec }) => ({ labels: spec.childLabels }),
  origins: [[/^metadata\.labels/, "spec.childLabels"]],
};
