import type { Field } from "./field";

export const podMetadata: Field = {
  podMetadata: ({ spec }) => ({ labels: spec.podLabels, annotations: spec.podAnnotations }),
  origins: [
    [/^spec\.template(?:\.metadata)?\.labels/, "spec.podLabels"],
    [/^spec\.template(?:\.metadata)?\.annotations/, "spec.podAnnotations"],
  ],
};
