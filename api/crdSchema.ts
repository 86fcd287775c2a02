import type { TSchema } from "@sinclair/typebox";

/** A schema of the CustomResourceDefinition, as it goes over the wire. */
export interface CrdSchema {
  [keyword: string]: unknown;
  properties?: Record<string, CrdSchema>;
  items?: CrdSchema;
}

/** Keywords for the other things made from the fields; the API server has no use for them. */
const ownKeywords = ["examples", "componentNote", "kubernetesType"];

/** The schema without what only this repository reads. */
export function crdSchema(schema: TSchema): CrdSchema {
  return JSON.parse(
    JSON.stringify(schema, (key, value: unknown) => (ownKeywords.includes(key) ? undefined : value)),
  ) as CrdSchema;
}
