import type { Field } from "./field";

export const serviceAccountName: Field = {
  // Also the deprecated field: the API server fills it in, and would use it once the name is removed.
  pod: ({ spec: { serviceAccountName } }) => ({ serviceAccountName, serviceAccount: serviceAccountName }),
  origins: [[/^spec\.template\.spec\.serviceAccount(Name)?\b/, "spec.serviceAccountName"]],
};
