import type { Field } from "./field";

export const serviceAccountName: Field = {
  // The deprecated field, too: the API server fills it in, and would have the account from it once the name is taken out.
  pod: ({ spec: { serviceAccountName } }) => ({ serviceAccountName, serviceAccount: serviceAccountName }),
  origins: [[/^spec\.template\.spec\.serviceAccount(Name)?\b/, "spec.serviceAccountName"]],
};
