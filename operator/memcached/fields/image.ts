import type { Field } from "./field";

export const image: Field = {
  pod: ({ spec }) => ({ imagePullSecrets: spec.imagePullSecrets }),
  container: ({ spec, environment }) => ({
    image: spec.image ?? environment.image,
    imagePullPolicy: spec.imagePullPolicy,
  }),
  origins: [
    [/^spec\.template\.spec\.imagePullSecrets/, "spec.imagePullSecrets"],
    [/^spec\.template\.spec\.containers\[0\]\.(image|imagePullPolicy)\b/, "spec.$1"],
  ],
};
